package import OutboxCore
package import OutboxFormat
package import SQLite
package import StoreFormat
import Migrations
package import RowRewriting

/// Column positions for writing an outbox in V7's form.
package struct Delivery: Hashable, Sendable {
  /// The columns of the source's query.
  package struct Source: Hashable, Sendable {
    package let id: Int
    package let eventType: Int
    package let status: Int
    package let payload: Int
    package let createdAt: Int
  }

  /// The columns of the target's table.
  package struct Target: Hashable, Sendable {
    package let eventType: Int
    package let entityID: Int
    package let userID: Int
    package let status: Int
    package let metadata: Int
    package let priority: Int
    package let isNewRecord: Int

    /// All of these columns.
    package var places: Set<Int> {
      [eventType, entityID, userID, status, metadata, priority, isNewRecord]
    }
  }

  /// The columns of the source in which the V7 app writes events itself.
  package struct Written: Hashable, Sendable {
    package let entityID: Int
    package let userID: Int
    package let isNewRecord: Int
    package let metadata: Int

    /// The value of `entityID` that stands for a missing id; `nil` if there is no such value.
    package let placeholder: Value?

    /// Finds the columns in a program that keeps V7's columns; `nil` for other programs.
    package init?(_ program: RowProgram, _ target: Target) {
      guard let entityID = program.ownColumn(of: target.entityID),
        let userID = program.ownColumn(of: target.userID),
        let isNewRecord = program.ownColumn(of: target.isNewRecord),
        let metadata = program.ownColumn(of: target.metadata)
      else { return nil }
      self.entityID = entityID
      self.userID = userID
      self.isNewRecord = isNewRecord
      self.metadata = metadata
      if case .conditional(.placeholder(let usual, _), _, _, _) = program.cells[target.entityID] {
        placeholder = usual
      } else {
        placeholder = nil
      }
    }
  }

  package let source: Source
  package let target: Target

  /// The columns of rows that the V7 app itself wrote; `nil` if the source can't have such rows.
  package let written: Written?

  /// The tables of the entities that events are about, if the source's model has them.
  package let entities: [OutboxEventType: EntityTable]

  /// Creates the delivery of a program that converts payloads to metadata; `nil` for others.
  package init?(_ program: RowProgram, in layout: StoreLayout) {
    guard program.table.rootEntity == "SDOutboxEvent",
      program.conversions.contains(where: { $0.converter == .jsonText })
    else { return nil }
    func source(_ property: String) -> Int? { program.sourceProperties.firstIndex(of: property) }
    func target(_ property: String) -> Int? {
      program.table.columns.firstIndex { $0.content.property == property }
    }
    guard let id = source("id"), let eventType = source("eventType"),
      let status = source("status"), let payload = source("payload"),
      let createdAt = source("createdAt"),
      let newType = target("eventType"), let entityID = target("entityID"),
      let userID = target("userID"), let newStatus = target("status"),
      let metadata = target("metadata"), let priority = target("priority"),
      let isNewRecord = target("isNewRecord")
    else { return nil }
    self.source = Source(
      id: id, eventType: eventType, status: status, payload: payload, createdAt: createdAt)
    self.target = Target(
      eventType: newType, entityID: entityID, userID: userID, status: newStatus,
      metadata: metadata, priority: priority, isNewRecord: isNewRecord)
    written = Written(program, self.target)
    entities = EntityTable.all(of: OutboxSubject.allCases.map(\.eventType), in: layout)
  }
}

extension RowProgram {
  /// Returns the source's column that a target's column copies; `nil` if the column is computed.
  ///
  /// The target may fill in missing values.
  func ownColumn(of place: Int) -> Int? {
    switch cells[place] {
    case .column(let column): column
    case .conditional(_, .column(let tested), _, .column(let column)) where tested == column:
      column
    default: nil
    }
  }
}
