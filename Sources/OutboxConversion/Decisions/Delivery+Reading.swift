import OutboxCore
package import OutboxFormat
package import SQLite
package import RowRewriting

extension Delivery {
  /// Reads the event in a row.
  ///
  /// A value of an unexpected storage class isn't converted: it is an error.
  ///
  /// - Parameters:
  ///   - row: The current row of the program's query.
  ///   - program: The program of the outbox's table.
  ///   - keys: The keys of the row's payload, if they are known.
  ///   - hasFacts: Whether to read the facts about the entity in the payload as well.
  /// - Returns: The event, or the reason why the app can't send it.
  /// - Throws: A ``RowError`` that names the row.
  package func reading(
    of row: borrowing Statement, _ program: RowProgram, keys: PayloadKeys? = nil,
    hasFacts: Bool = true
  ) throws(RowError) -> OutboxReading {
    let type = try text(of: row, at: source.eventType, program)
    let status = try text(of: row, at: source.status, program)
    if let written,
      let subject = OutboxEventType(rawValue: type).flatMap(OutboxSubject.init)
    {
      let event = self.written(subject, row, written)
      return row.withBytes(at: written.metadata) { metadata in
        OutboxReading(event, status: status, metadata: metadata)
      }
    }
    switch row.type(at: source.payload) {
    case .null, .text, .blob: break
    case .integer, .real:
      throw error(row, source.payload, program, "holds a number where bytes are expected")
    }
    return row.withBytes(at: source.payload) { payload in
      OutboxReading(
        eventType: type, status: status, payload: payload, keys: keys, hasFacts: hasFacts)
    }
  }

  /// Returns the position of a row by date and key; rows without a date come first.
  package func place(
    of row: borrowing Statement, _ program: RowProgram
  ) throws(RowError) -> OutboxIndex.Place {
    let key = row.int64(at: 0)
    switch row.type(at: source.createdAt) {
    case .null: return OutboxIndex.Place(created: -.infinity, key: key)
    case .integer, .real:
      return OutboxIndex.Place(created: row.double(at: source.createdAt), key: key)
    case .text:
      throw error(row, source.createdAt, program, "holds a text where a number is expected")
    case .blob:
      throw error(row, source.createdAt, program, "holds bytes where a number is expected")
    }
  }

  /// Returns the event in a row that the V7 app wrote; `nil` if the row names no entity.
  private func written(
    _ subject: OutboxSubject, _ row: borrowing Statement, _ columns: Written
  ) -> WrittenEvent? {
    guard case .blob(let entity) = row.value(at: columns.entityID), entity.count == 16,
      .blob(entity) != columns.placeholder
    else { return nil }
    return WrittenEvent(
      subject: subject, entity: entity, user: row.string(at: columns.userID) ?? "",
      isNewRecord: row.int64(at: columns.isNewRecord) != 0,
      deletion: DecodedMetadata(row.bytes(at: columns.metadata)).deletion)
  }

  /// Returns the text in a column; empty if the column is null.
  private func text(
    of row: borrowing Statement, at column: Int, _ program: RowProgram
  ) throws(RowError) -> String {
    switch row.type(at: column) {
    case .null: return ""
    case .text: return row.string(at: column) ?? ""
    case .integer, .real:
      throw error(row, column, program, "holds a number where a text is expected")
    case .blob: throw error(row, column, program, "holds bytes where a text is expected")
    }
  }

  private func error(
    _ row: borrowing Statement, _ column: Int, _ program: RowProgram, _ reason: String
  ) -> RowError {
    RowError(
      entity: program.sourceEntity, key: row.int64(at: 0),
      attribute: program.sourceProperties[column], reason: reason)
  }
}
