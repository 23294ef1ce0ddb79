/// The tables of persistent history, which SwiftData always has.
///
/// See `StoreFormat.md` §8.
public enum HistoryTables {
  /// The number of the first history entity; the app's own have lower ones.
  public static let firstNumber: Int64 = 16_001

  /// The number and name of each history entity.
  public static let entities: [(number: Int64, name: String)] = [
    (16_001, "CHANGE"), (16_002, "TRANSACTION"), (16_003, "TRANSACTIONSTRING"),
  ]

  /// The names of the tables, in the order of their entities.
  public static let tableNames = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// The statements that make the tables and their indexes, as `sqlite_master` holds them.
  public static let createStatements = [
    """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )
    """,
    """
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, \
    ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, \
    ZQUERYGEN BLOB )
    """,
    """
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZNAME VARCHAR )
    """,
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
    "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
    "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
    "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
    """
    CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION \
    (ZTIMESTAMP COLLATE BINARY ASC)
    """,
    """
    CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING \
    (ZNAME COLLATE BINARY ASC)
    """,
  ]
}

/// The tables that every store has besides those of its entities.
///
/// See `StoreFormat.md` §3.
public enum SystemTables {
  /// The names of the tables.
  public static let names = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  /// The statements that make the tables, as `sqlite_master` holds them.
  public static let createStatements = [
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
