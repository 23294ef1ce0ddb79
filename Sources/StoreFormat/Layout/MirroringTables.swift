/// The tables of `NSPersistentCloudKitContainer`, which mirrors a store to CloudKit.
///
/// See `StoreFormat.md` §8.1, which says how little is known of them.
package enum MirroringTables {
  /// The lowest entity number of mirroring.
  package static let firstNumber: Int64 = 17_001

  /// The beginning of every table's name.
  package static let tablePrefix = "ANSCK"

  /// The beginning of every entity's name.
  package static let entityPrefix = "NSCK"

  /// The table with a row for each row of the app that has a record in the cloud.
  package static let records = "ANSCKRECORDMETADATA"

  /// The columns that name a row of the app, by its entity's number and its key.
  package static let (entityColumn, keyColumn) = ("ZENTITYID", "ZENTITYPK")

  /// The entities, in the order of their numbers.
  package static let entityNames = [
    "NSCKDatabaseMetadata", "NSCKEvent", "NSCKExportedObject", "NSCKExportMetadata",
    "NSCKExportOperation", "NSCKHistoryAnalyzerState", "NSCKImportOperation",
    "NSCKImportPendingRelationship", "NSCKMetadataEntry", "NSCKMirroredRelationship",
    "NSCKMirroredRelationshipSystemFieldsAsset", "NSCKRecordMetadata",
    "NSCKRecordMetadataEncodedRecordAsset", "NSCKRecordMetadataSystemFieldsAsset",
    "NSCKRecordZoneMetadata", "NSCKRecordZoneMetadataEncodedShareAsset",
    "NSCKRecordZoneMoveReceipt", "NSCKRecordZoneQuery",
  ]

  /// Returns the name of an entity's table.
  package static func table(of entity: String) -> String { "A" + entity.uppercased() }

  /// Returns the number of an entity; `nil` for any other name.
  package static func number(of entity: String) -> Int64? {
    entityNames.firstIndex(of: entity).map { firstNumber + Int64($0) }
  }

  /// The statements that create the tables and their indexes.
  ///
  /// Only the columns that public sources name are there: most tables have more.
  package static var createStatements: [String] {
    entityNames.map { entity in
      let columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
      let known = columns + (knownColumns[entity] ?? [])
      return "CREATE TABLE \(table(of: entity)) ( \(known.joined(separator: ", ")) )"
    } + indexes
  }

  private static let knownColumns = [
    "NSCKHistoryAnalyzerState": ["ZENTITYID INTEGER", "ZENTITYPK INTEGER"],
    "NSCKMetadataEntry": [
      "ZBOOLVALUENUM INTEGER", "ZINTEGERVALUE INTEGER", "ZDATEVALUE TIMESTAMP", "ZKEY VARCHAR",
      "ZSTRINGVALUE VARCHAR", "ZTRANSFORMEDVALUE BLOB",
    ],
    "NSCKRecordMetadata": [
      "ZENTITYID INTEGER", "ZENTITYPK INTEGER", "ZLASTEXPORTEDTRANSACTIONNUMBER INTEGER",
      "ZNEEDSCLOUDDELETE INTEGER", "ZNEEDSLOCALDELETE INTEGER", "ZNEEDSUPLOAD INTEGER",
      "ZPENDINGEXPORTCHANGETYPENUMBER INTEGER", "ZPENDINGEXPORTTRANSACTIONNUMBER INTEGER",
      "ZENCODEDRECORDASSET INTEGER", "ZRECORDZONE INTEGER", "ZSYSTEMFIELDSASSET INTEGER",
      "ZCKRECORDNAME VARCHAR",
    ],
  ]

  private static let indexes = [
    """
    CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK ON ANSCKRECORDMETADATA \
    (ZENTITYID COLLATE BINARY ASC, ZENTITYPK COLLATE BINARY ASC)
    """,
    """
    CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_ckRecordName_recordZone \
    ON ANSCKRECORDMETADATA (ZCKRECORDNAME COLLATE BINARY ASC, ZRECORDZONE COLLATE BINARY ASC)
    """,
  ]
}
