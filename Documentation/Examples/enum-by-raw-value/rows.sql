-- The rows of the example, in place of the generated ones. No case of the enumeration is 7.
DELETE FROM ZERRAND;
INSERT INTO ZERRAND (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSTATE) VALUES
  (1, 1, 1, 'Post office', 0),
  (2, 1, 1, 'Library', 2),
  (3, 1, 1, 'Bakery', 1),
  (4, 1, 1, 'Pharmacy', 7);
UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Errand';
