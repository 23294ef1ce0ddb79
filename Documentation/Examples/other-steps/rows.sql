-- The rows of the example, in place of the generated ones.
DELETE FROM ZBED;
DELETE FROM ZDRAFT;
DELETE FROM ZGARDENER;
DELETE FROM ZNOTE;
DELETE FROM ZPLANT;
DELETE FROM Z_1GARDENERS;
INSERT INTO ZBED (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'South'), (2, 1, 1, 'Pond');
INSERT INTO ZDRAFT (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 2, 1, 'Order bulbs');
INSERT INTO ZGARDENER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'Ines'), (2, 3, 1, 'Ada');
INSERT INTO Z_1GARDENERS (Z_1BEDS, Z_3GARDENERS) VALUES (1, 1), (1, 2), (2, 1);
INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZISREAD, ZTEXT) VALUES
  (1, 4, 1, 1, 'Rain on Friday'),
  (2, 4, 1, 0, 'Cut the hedge');
INSERT INTO ZPLANT
  (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBEDNAME, ZBED, ZCARE, ZHEIGHT, ZPLANTED, ZPRICE) VALUES
  (1, 5, 1, 'Iris', 'Pond', NULL, NULL, '60', '2026-03-01', 5),
  (2, 5, 1, 'Rose', 'South', 1, 'prune in March', '120.5', '2025-10-12', 18),
  (3, 5, 1, 'Aster', 'South', 1, NULL, 'knee-high', 'last spring', 4);
UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Plant';
UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Draft';
UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME IN ('Bed', 'Gardener', 'Note');
