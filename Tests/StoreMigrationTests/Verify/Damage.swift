import Testing
import OutboxConversion

/// A change to a store, and what `verify` must report about it.
struct Damage: CustomTestStringConvertible {
  let name: String
  let sql: String

  /// The one check that fails; `nil` for a warning.
  let check: String?

  /// The expected messages; `KEY(TABLE)` stands for the highest key of a table.
  let messages: [String]

  var testDescription: String { name }

  init(_ name: String, _ sql: String, fails check: String, _ messages: String...) {
    self.name = name
    self.sql = sql
    self.check = check
    self.messages = messages
  }

  init(_ name: String, _ sql: String, warns messages: String...) {
    self.name = name
    self.sql = sql
    check = nil
    self.messages = messages
  }
}

extension Damage {
  static let all = systemTables + structure + rows + links

  private static let systemTables = [
    Damage(
      "two numbers are swapped",
      """
      UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Tag';
      UPDATE Z_PRIMARYKEY SET Z_ENT = 6 WHERE Z_NAME = 'Toy';
      UPDATE Z_PRIMARYKEY SET Z_ENT = 7 WHERE Z_NAME = 'Tag'
      """, fails: "entity-numbers",
      "Z_PRIMARYKEY says 'Tag' is entity 7, its model says 6",
      "Z_PRIMARYKEY says 'Toy' is entity 6, its model says 7"),
    Damage(
      "a super-entity is wrong", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Dog'",
      fails: "entity-numbers",
      "Z_PRIMARYKEY says the super-entity of 'Dog' is 0, its model says 1"),
    Damage(
      "an entity has no number", "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'",
      fails: "entity-numbers", "Z_PRIMARYKEY has no row for 'Tag'"),
    Damage(
      "an entity has two numbers", "INSERT INTO Z_PRIMARYKEY VALUES (99, 'Tag', 0, 99)",
      fails: "entity-numbers", "Z_PRIMARYKEY has 2 rows for 'Tag'"),
    Damage(
      "a number has no entity", "INSERT INTO Z_PRIMARYKEY VALUES (99, 'Ghost', 0, 0)",
      fails: "entity-numbers", "Z_PRIMARYKEY has a row for 'Ghost', which the model doesn't have"),
    Damage(
      "a number of history is another entity's",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Ghost' WHERE Z_ENT = 16001", fails: "entity-numbers",
      "Z_PRIMARYKEY says 'Ghost' is entity 16001, a number reserved for the framework"),
    Damage(
      "the metadata has no row", "DELETE FROM Z_METADATA", fails: "metadata",
      "Z_METADATA has no row"),
    Damage(
      "the metadata has two rows",
      "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA", fails: "metadata",
      "Z_METADATA has 2 rows and should have one"),
    Damage(
      "the metadata has no property list", "UPDATE Z_METADATA SET Z_PLIST = NULL",
      fails: "metadata", "Z_METADATA has no property list"),
    Damage(
      "the cache has two rows", "INSERT INTO Z_MODELCACHE SELECT * FROM Z_MODELCACHE",
      fails: "model-cache", "Z_MODELCACHE has 2 rows and should have one"),
  ]

  private static let structure = [
    Damage(
      "a table is missing", "DROP TABLE ZPHOTO", fails: "tables", "table 'ZPHOTO' is missing"),
    Damage(
      "a join table is missing", "DROP TABLE Z_6TOYS", fails: "tables",
      "table 'Z_6TOYS' is missing"),
    Damage(
      "a column is missing", "ALTER TABLE ZANIMAL DROP COLUMN ZNAME", fails: "tables",
      "table 'ZANIMAL' has no column 'ZNAME'"),
    Damage(
      "a column is left over", "ALTER TABLE ZTAG ADD COLUMN ZGHOST INTEGER", fails: "tables",
      "table 'ZTAG' has a column 'ZGHOST' that the model doesn't have"),
    Damage(
      "a table is somebody else's", "CREATE TABLE notes (text)",
      warns: "table 'notes' isn't in the model"),
    Damage(
      "a key has no index", "DROP INDEX ZPHOTO_ZSUBJECT_INDEX", fails: "indexes",
      "table 'ZPHOTO' has no index on ZSUBJECT"),
    Damage(
      "an inverse-less key has no index", "DROP INDEX ZTOY_Z4SPARES_INDEX", fails: "indexes",
      "table 'ZTOY' has no index on Z4SPARES"),
    Damage(
      "a tree has no index on its entities", "DROP INDEX ZANIMAL_Z_ENT_INDEX", fails: "indexes",
      "table 'ZANIMAL' has no index on Z_ENT"),
    Damage(
      "a join table has no index", "DROP INDEX Z_6TOYS_Z_7TOYS_INDEX", fails: "indexes",
      "table 'Z_6TOYS' has no index on Z_7TOYS, Z_6TAGS"),
    Damage(
      "a fetch index is missing", "DROP INDEX Z_Toy_byKind", fails: "indexes",
      "table 'ZTOY' has no index on ZKIND"),
    Damage(
      "a unique index is missing", "DROP INDEX Z_Chip_UNIQUE_number", fails: "indexes",
      "table 'ZCHIP' has no unique index on ZNUMBER"),
    Damage(
      "a unique index isn't unique any more",
      """
      DROP INDEX Z_Chip_UNIQUE_number;
      CREATE INDEX Z_Chip_UNIQUE_number ON ZCHIP (ZNUMBER)
      """, fails: "indexes", "table 'ZCHIP' has no unique index on ZNUMBER"),
  ]

  private static let rows = [
    Damage(
      "a row is of a foreign entity",
      "UPDATE ZTOY SET Z_ENT = 1 WHERE Z_PK IN (SELECT Z_PK FROM ZTOY ORDER BY 1 LIMIT 2)",
      fails: "row-entities",
      "2 rows of 'Toy' have the number of an unrelated entity, first Toy/1"),
    Damage(
      "a row of a tree is of no entity",
      "UPDATE ZANIMAL SET Z_ENT = NULL WHERE Z_PK = (SELECT max(Z_PK) FROM ZANIMAL)",
      fails: "row-entities",
      "1 row of 'Animal' has the number of an unrelated entity, first Animal/KEY(ZANIMAL)"),
    Damage(
      "the highest key is too low", "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Toy'",
      fails: "maximum-keys", "Z_MAX of 'Toy' is 3, below its highest key KEY(ZTOY)"),
    Damage(
      "a sub-entity has a highest key", "UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Cat'",
      fails: "maximum-keys", "Z_MAX of the sub-entity 'Cat' is 7 and should be 0"),
    Damage(
      "history's highest key is too low",
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'TRANSACTION';
      DELETE FROM ATRANSACTION WHERE Z_PK > 1
      """,
      fails: "maximum-keys", "Z_MAX of 'TRANSACTION' is 0, below its highest key 1"),
    Damage(
      "a mandatory attribute has no value",
      "UPDATE ZANIMAL SET ZNAME = NULL WHERE Z_PK = (SELECT min(Z_PK) FROM ZANIMAL)",
      fails: "mandatory-values", "1 row has no value in the mandatory attribute 'Animal.name'"),
    Damage(
      "a sub-entity's mandatory attribute has no value",
      """
      UPDATE ZANIMAL SET ZLIVES = NULL
      WHERE Z_PK IN (SELECT Z_PK FROM ZANIMAL WHERE Z_ENT = 2 LIMIT 3)
      """,
      fails: "mandatory-values", "3 rows have no value in the mandatory attribute 'Cat.lives'"),
    Damage(
      "history names an unknown entity", "UPDATE ACHANGE SET ZENTITY = 8 WHERE Z_PK = 1",
      fails: "history",
      "1 change in the history belongs to an entity that isn't in the model, first CHANGE/1"),
  ]

  private static let links = [
    Damage(
      "a to-one link leads nowhere", "UPDATE ZCHIP SET ZCAT = 999999 WHERE Z_PK = 1",
      warns: "1 link of 'Chip.cat' has no destination row"),
    Damage(
      "a to-one link into a tree leads nowhere",
      "UPDATE ZPHOTO SET ZSUBJECT = 999999, Z1_SUBJECT = 2 WHERE Z_PK < 3",
      warns: "2 links of 'Photo.subject' have no destination row"),
    Damage(
      "an inverse-less link comes from nowhere", "UPDATE ZTOY SET Z4SPARES = 999999 WHERE Z_PK = 1",
      warns: "1 link of 'Chip.spares' has no source row"),
    Damage(
      "a join leads nowhere on one side", "INSERT INTO Z_6TOYS VALUES (999999, 1)",
      warns: "1 link of 'Tag.toys' has no source row"),
    Damage(
      "a join leads nowhere on the other side", "INSERT INTO Z_6TOYS VALUES (1, 999999)",
      warns: "1 link of 'Toy.tags' has no source row"),
    Damage(
      "an entity key is another entity's",
      """
      UPDATE ZPHOTO SET Z1_SUBJECT = 1
      WHERE Z_PK = (SELECT min(Z_PK) FROM ZPHOTO WHERE ZSUBJECT IS NOT NULL)
      """, fails: "links", "1 link of 'Photo.subject' has a wrong entity number"),
  ]
}
