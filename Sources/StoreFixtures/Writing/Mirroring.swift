import SQLite
import StoreFormat
import StoreModel

/// What a fixture records about its mirroring to CloudKit.
///
/// See `StoreFormat.md` §8.1. Three rows in four have a record; some of these wait for upload. One
/// deleted row of each entity waits for deletion in the cloud.
struct Mirroring: Sendable {
  let fixture: FixturePlan
  let plans: [EntityPlan]

  func write(to connection: borrowing Connection) throws(SQLiteError) {
    var highest: [String: Int64] = [:]
    highest["NSCKRecordMetadata"] = try writeRecords(to: connection)
    highest["NSCKMetadataEntry"] = try writeEntries(to: connection)
    highest["NSCKHistoryAnalyzerState"] = try writeStates(to: connection)
    try connection.execute(
      "INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, Z_ENT, Z_OPT) VALUES (1, ?, 1)",
      [Self.number(of: "NSCKRecordZoneMetadata")])
    highest["NSCKRecordZoneMetadata"] = 1
    for name in MirroringTables.entityNames {
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, ?)",
        [Self.number(of: name), .text(name), .integer(highest[name] ?? 0)])
    }
  }

  private static func number(of entity: String) -> Value {
    MirroringTables.number(of: entity).map { .integer($0) } ?? .null
  }

  /// Writes the records, and returns the highest key.
  private func writeRecords(to connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    var key: Int64 = 0
    for rowSet in plans.map(\.rowSet) {
      for index in 0..<rowSet.count where index % 4 != 3 {
        key += 1
        try writeRecord(
          key, of: rowSet, rowSet.key(index), isUploaded: index % 8 != 1, to: connection)
      }
      guard let deleted = rowSet.deletedKey(0) else { continue }
      key += 1
      try writeRecord(key, of: rowSet, deleted, isDeleted: true, to: connection)
    }
    return key
  }

  private func writeRecord(
    _ key: Int64, of rowSet: RowSet, _ row: Int64, isUploaded: Bool = true,
    isDeleted: Bool = false, to connection: borrowing Connection
  ) throws(SQLiteError) {
    var random = fixture.random(stableHash(MirroringTables.records), Int(key))
    try connection.execute(
      """
      INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, \
      ZLASTEXPORTEDTRANSACTIONNUMBER, ZNEEDSCLOUDDELETE, ZNEEDSLOCALDELETE, ZNEEDSUPLOAD, \
      ZRECORDZONE, ZCKRECORDNAME) VALUES (?, ?, 1, ?, ?, ?, ?, 0, ?, 1, ?)
      """,
      [
        .integer(key), Self.number(of: "NSCKRecordMetadata"), .integer(Int64(rowSet.number)),
        .integer(row), isUploaded ? 1 : .null, .integer(isDeleted ? 1 : 0),
        .integer(isUploaded ? 0 : 1), .text(uuidText(random.uuid())),
      ])
  }

  /// Writes the known keys with placeholders, because no public source shows their values.
  private func writeEntries(to connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    let names = ["ClientVersionHashes", "FrameworkVersion", "ModelVersionHashes"]
    for (index, name) in names.enumerated() {
      let isNumber = name == "FrameworkVersion"
      try connection.execute(
        """
        INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZKEY, ZINTEGERVALUE, \
        ZTRANSFORMEDVALUE) VALUES (?, ?, 1, ?, ?, ?)
        """,
        [
          .integer(Int64(index + 1)), Self.number(of: "NSCKMetadataEntry"),
          .text("PFCloudKitMetadata\(name)Key"),
          isNumber ? .integer(FreshStore.frameworkVersion) : .null, isNumber ? .null : .blob([1]),
        ])
    }
    try connection.execute(
      """
      INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZKEY, ZBOOLVALUENUM) \
      VALUES (4, ?, 1, 'PFCloudKitMetadataNeedsMetadataMigrationKey', 0)
      """, [Self.number(of: "NSCKMetadataEntry")])
    return 4
  }

  /// Writes a state about the first row of each entity, and returns the highest key.
  private func writeStates(to connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    var key: Int64 = 0
    for rowSet in plans.map(\.rowSet) where rowSet.count > 0 {
      key += 1
      try connection.execute(
        """
        INSERT INTO ANSCKHISTORYANALYZERSTATE (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK) \
        VALUES (?, ?, 1, ?, ?)
        """,
        [
          .integer(key), Self.number(of: "NSCKHistoryAnalyzerState"),
          .integer(Int64(rowSet.number)), .integer(rowSet.key(0)),
        ])
    }
    return key
  }
}
