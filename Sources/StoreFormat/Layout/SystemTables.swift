/// The tables that every store has besides those of its entities.
///
/// See `StoreFormat.md` §3.
package enum SystemTables {
  /// The names of the tables.
  package static let names = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  /// The statements that make the tables, as `sqlite_master` holds them.
  package static let createStatements = [
    """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
    Z_MAX INTEGER)
    """,
    """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)
    """,
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]
}
