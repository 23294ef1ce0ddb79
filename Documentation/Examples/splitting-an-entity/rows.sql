-- The rows of the example, in place of the generated ones. One book names no publisher.
DELETE FROM ZBOOK;
INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPUBLISHERNAME, ZPUBLISHERCITY) VALUES
  (1, 1, 1, 'Rivers', 'Pan', 'London'),
  (2, 1, 1, 'Bridges', 'Oriel', 'Cardiff'),
  (3, 1, 1, 'Canals', 'Pan', 'London'),
  (4, 1, 1, 'Locks', 'Oriel', 'Cardiff'),
  (5, 1, 1, 'Notes', NULL, NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Book';
