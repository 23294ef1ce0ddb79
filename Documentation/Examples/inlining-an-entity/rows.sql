-- The rows of the example, in place of the generated ones. Two people share an address, one has none, and one address is
-- nobody's.
DELETE FROM ZADDRESS;
DELETE FROM ZPERSON;
INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZLINE, ZCITY) VALUES
  (1, 1, 1, '4 Mill Lane', 'Leeds'),
  (2, 1, 1, '11 Quay Street', 'Cardiff'),
  (3, 1, 1, '9 Old Road', 'Hull');
INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZADDRESS) VALUES
  (1, 2, 1, 'Ada', 1),
  (2, 2, 1, 'Bo', 1),
  (3, 2, 1, 'Cy', 2),
  (4, 2, 1, 'Di', NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Address';
UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Person';
