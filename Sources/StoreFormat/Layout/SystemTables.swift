/// The tables that every store has in addition to entity tables.
///
/// See `StoreFormat.md` §3.
package enum SystemTables {
  /// The names of the tables.
  package static let names = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  /// The names of their columns, by table.
  package static let columns = [
    "Z_PRIMARYKEY": ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"],
    "Z_METADATA": ["Z_VERSION", "Z_UUID", "Z_PLIST"], "Z_MODELCACHE": ["Z_CONTENT"],
  ]

  /// The statements that create the tables, as in `sqlite_schema`.
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
