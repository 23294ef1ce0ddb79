-- The rows of the example, in place of the generated ones. Two tags exist twice.
DELETE FROM ZRECIPE;
DELETE FROM ZTAG;
DELETE FROM Z_1TAGS;
INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZUPDATEDAT) VALUES
  (1, 2, 1, 'Vegan', 757382400),
  (2, 2, 1, 'Quick', 757382400),
  (3, 2, 1, 'vegan', 757555200),
  (4, 2, 1, 'Quick', NULL),
  (5, 2, 1, 'Baking', 757382400);
INSERT INTO ZRECIPE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES
  (1, 1, 1, 'Lentil soup'),
  (2, 1, 1, 'Omelette'),
  (3, 1, 1, 'Rye bread');
INSERT INTO Z_1TAGS (Z_1RECIPES, Z_2TAGS) VALUES (1, 1), (1, 3), (1, 2), (2, 4), (3, 5);
UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Recipe';
UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Tag';
