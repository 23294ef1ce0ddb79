-- The rows of the example, in place of the generated ones. The last name ends with a space.
DELETE FROM ZPERSON;
INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES
  (1, 1, 1, 'Ada Lovelace'),
  (2, 1, 1, 'Ludwig van Beethoven'),
  (3, 1, 1, 'Sappho'),
  (4, 1, 1, 'Plato ');
UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Person';
