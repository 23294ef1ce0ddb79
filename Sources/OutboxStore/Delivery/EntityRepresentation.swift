import OutboxCore
import JSONText
import SQLite
import StoreFormat
import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The contents of a request about an entity.
struct EntityRepresentation: Hashable, Sendable {
  /// The entity's id on the server; `nil` if the server doesn't have the entity yet.
  let backendID: String?

  /// The request's body.
  let body: JSONValue
}

extension RequestTable {
  /// Reads the entity in the row with a key; `nil` if there is no such row.
  func representation(
    ofKey key: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> EntityRepresentation? {
    try connection.withStatement(query, [.integer(key)]) { (row) throws(SQLiteError) in
      guard try row.step() else { return nil }
      var members = row.members(cells, from: 2) + constants
      let known = row.string(at: 1).flatMap { $0.isEmpty ? nil : $0 }
      if let parts {
        members.append(.init(parts.key, .array(try parts.objects(of: key, connection))))
      }
      return EntityRepresentation(backendID: known, body: .object(members))
    }
  }

  /// Marks an entity as synced, and writes its id on the server.
  func markAsSynced(
    key: Int64, backendID id: String, at now: Date, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var (assignments, values): ([String], [Value]) = ([], [])
    if let backendID { (assignments, values) = (["\(backendID) = ?"], [.text(id)]) }
    if let syncStatus { assignments.append("\(syncStatus) = 'synced'") }
    if let syncDate {
      assignments.append("\(syncDate) = ?")
      values.append(now.stored)
    }
    guard !assignments.isEmpty else { return }
    try connection.execute(
      """
      UPDATE \(table) SET \(assignments.joined(separator: ", ")), Z_OPT = coalesce(Z_OPT, 0) + 1
      WHERE Z_PK = ?
      """, values + [.integer(key)])
  }
}

extension RequestTable.Parts {
  fileprivate func objects(
    of key: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [JSONValue] {
    try connection.withStatement(query, [.integer(key)]) { (row) throws(SQLiteError) in
      var objects: [JSONValue] = []
      while try row.step() { objects.append(.object(row.members(cells, from: 1))) }
      return objects
    }
  }
}

extension Statement {
  /// Returns the members of a request; members without a value are omitted.
  fileprivate func members(
    _ cells: [RequestTable.Cell], from first: Int
  ) -> [JSONValue.Member] {
    cells.enumerated().compactMap { place, cell in
      json(at: first + place, as: cell.type).map { JSONValue.Member(cell.key, $0) }
    }
  }

  /// Returns a value as the server reads it; `nil` if it is null or can't be sent.
  private func json(at column: Int, as attribute: AttributeType) -> JSONValue? {
    switch (attribute, type(at: column)) {
    case (_, .null): nil
    case (.boolean, .integer): .bool(int64(at: column) != 0)
    case (.date, .integer), (.date, .real):
      Date(timeIntervalSinceReferenceDate: double(at: column)).internetText.map { .string($0) }
    case (.uuid, .blob): UUID(bytes: bytes(at: column)).map { .string($0.uuidString) }
    case (.transformable, .blob):
      KeyedArchive.texts(in: bytes(at: column)).map { JSONValue($0.texts) { .string($0) } }
    case (_, .integer): .int(int64(at: column))
    case (_, .real): .number(double(at: column))
    case (_, .text): string(at: column).map { .string($0) }
    case (_, .blob): nil
    }
  }
}
