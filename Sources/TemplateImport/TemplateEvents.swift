import JSONText
import SQLite
import StoreFormat
import StoreModel

/// Adds outbox events that make the app upload new templates, as the app's create use case does.
struct TemplateEvents {
  private let rows: RowWriter
  private let columns: (type: String, entity: String, status: String)

  /// The current time, in seconds since 2001-01-01 UTC.
  let now: Double

  /// - Throws: ``TemplateImportError/noTemplates(missing:)`` if the model has no outbox.
  init(_ layout: StoreLayout, now: Double) throws(TemplateImportError) {
    guard let rows = RowWriter("SDOutboxEvent", in: layout),
      let type = rows.column(of: "eventType"), let entity = rows.column(of: "entityID"),
      let status = rows.column(of: "status")
    else { throw .noTemplates(missing: "SDOutboxEvent") }
    self.rows = rows
    columns = (type, entity, status)
    self.now = now
  }

  /// Adds an event for a template and returns `true`, unless an event is already pending.
  func add(
    _ template: ImportedTemplate, user: [UInt8], _ connection: borrowing Connection
  ) throws -> Bool {
    let pending = try connection.value(
      """
      SELECT 1 FROM \(quoteIdentifier(rows.table.name)) WHERE \(columns.type) = 'workoutTemplate'
      AND \(columns.entity) = ?1 AND \(columns.status) <> 'completed' LIMIT 1
      """, [.blob(template.id)])
    guard pending == nil else { return false }
    // The app writes an empty string if there is no category.
    let metadata: JSONValue = [
      "type": "generic",
      "data": [
        "name": .string(template.name), "category": .string(template.category ?? ""),
        "exerciseCount": .string(String(template.exercises.count)),
      ],
    ]
    _ = try rows.insert(
      [
        "id": .blob(randomUUID()), "eventType": "workoutTemplate", "entityID": .blob(template.id),
        "userID": .text(uuidText(user)), "status": "pending", "createdAt": .real(now),
        "attemptCount": 0, "maxAttempts": 5, "priority": 5, "isNewRecord": 1,
        "metadata": .text(metadata.text()),
      ], connection)
    return true
  }

  /// Returns a random UUID (RFC 9562, version 4).
  private func randomUUID() -> [UInt8] {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}
