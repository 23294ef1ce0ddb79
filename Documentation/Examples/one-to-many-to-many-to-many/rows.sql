-- The rows of the example, in place of the generated ones. One note is in no folder.
DELETE FROM ZNOTE;
DELETE FROM ZFOLDER;
INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES
  (1, 1, 1, 'Home'),
  (2, 1, 1, 'Work');
INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZFOLDER) VALUES
  (1, 2, 1, 'Paint', 1),
  (2, 2, 1, 'Budget', 2),
  (3, 2, 1, 'Keys', 1),
  (4, 2, 1, 'Ideas', NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Folder';
UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Note';
