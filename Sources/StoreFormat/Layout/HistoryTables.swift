/// The tables of persistent history, which every SwiftData store has.
///
/// See `StoreFormat.md` §8.
package enum HistoryTables {
  /// The lowest entity number of history; the app's entities have lower numbers.
  package static let firstNumber: Int64 = 16_001

  /// The number and name of each history entity.
  package static let entities: [(number: Int64, name: String)] = [
    (16_001, "CHANGE"), (16_002, "TRANSACTION"), (16_003, "TRANSACTIONSTRING"),
  ]

  /// The names of the tables, in the order of their entities.
  package static let tableNames = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// The name of the table of changes, whose rows name entities by number.
  package static let changes = "ACHANGE"

  /// The columns without which the history can't be read, by table.
  package static let columns = [
    "ACHANGE": ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK"], "ATRANSACTION": ["Z_PK"],
    "ATRANSACTIONSTRING": ["Z_PK"],
  ]

  /// The statements that create the tables and their indexes, as in `sqlite_schema`.
  package static let createStatements = [
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
