import Foundation
@testable import OutboxCore
import Platform
import SQLite
import StoreFixtures
import StoreModel
import TestSupport
import Testing

/// Creates a store of a bundled version and returns its path.
func makeStore(
  _ app: String, _ version: String, rows: Int = 80, seed: UInt64 = 1, users: Int = 2,
  in folder: TemporaryDirectory
) throws -> String {
  let file = try #require(
    EmbeddedFile.all.first { $0.path.hasSuffix("\(app)/\(version).schema.json") })
  let schema = try SchemaFile(parsing: file.bytes, file: file.path)
  let path = folder.path("default.store")
  try makeFixture(
    app: app, version: version, model: schema.model, at: path,
    options: FixtureOptions(rows: rows, seed: seed, userCount: users))
  return path
}

/// The events of an outbox, read by the names that its columns have in both apps.
func storedEvents(_ path: String) throws -> [OutboxEvent] {
  let connection = try Connection(path: path, mode: .readOnly)
  let rows = try connection.rows(
    """
    SELECT ZID, ZEVENTTYPE, ZENTITYID, ZUSERID, ZSTATUS, ZCREATEDAT, ZLASTATTEMPTAT, ZATTEMPTCOUNT,
    ZMAXATTEMPTS, ZERRORMESSAGE, ZCOMPLETEDAT, ZMETADATA, ZPRIORITY, ZISNEWRECORD
    FROM ZSDOUTBOXEVENT ORDER BY Z_PK
    """)
  func date(_ value: Value) -> Date? {
    (value.double ?? value.int64.map(Double.init)).map(Date.init(timeIntervalSinceReferenceDate:))
  }
  return rows.compactMap { row in
    guard let id = uuid(row[0]), let type = OutboxEventType(rawValue: row[1].string ?? ""),
      let entity = uuid(row[2]), let user = row[3].string,
      let status = OutboxEventStatus(rawValue: row[4].string ?? ""), let created = date(row[5]),
      let attempts = row[7].int64, let maximum = row[8].int64, let priority = row[12].int64,
      let isNew = row[13].int64
    else { return nil }
    return OutboxEvent(
      id: id, eventType: type, entityID: entity, userID: user, status: status, createdAt: created,
      lastAttemptAt: date(row[6]), attemptCount: Int(attempts), maxAttempts: Int(maximum),
      errorMessage: row[9].string, completedAt: date(row[10]),
      metadata: row[11].string.flatMap { try? OutboxMetadata(text: $0) }, priority: Int(priority),
      isNewRecord: isNew != 0)
  }
}

private func uuid(_ value: Value) -> UUID? {
  guard case .blob(let bytes) = value else { return nil }
  return UUID(uuidString: bytes.count == 16 ? uuidText(bytes) : "")
}

/// Runs statements on a store.
func edit(_ path: String, _ sql: String) throws {
  let connection = try Connection(path: path, mode: .readWrite)
  try connection.execute(sql)
}
