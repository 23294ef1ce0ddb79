-- The rows of the example, in place of the generated ones.
DELETE FROM ZTASK;
INSERT INTO ZTASK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCREATEDAT) VALUES
  (1, 1, 1, 'Water the plants', 757382400),
  (2, 1, 1, 'Call the bank', 757468800),
  (3, 1, 1, 'Water the plants', 757382400);
UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Task';
