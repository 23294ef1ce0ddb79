-- The rows of the example, in place of the generated ones.
DELETE FROM ZENTRY;
DELETE FROM ZMOOD;
INSERT INTO ZMOOD (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES
  (1, 2, 1, 'calm'),
  (2, 2, 1, 'tired');
INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZMOOD) VALUES
  (1, 1, 1, 'Monday', 'A long walk by the river.', 1),
  (2, 1, 1, 'Tuesday', 'Slept badly.', 2),
  (3, 1, 1, 'Wednesday', '', NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Entry';
UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Mood';
