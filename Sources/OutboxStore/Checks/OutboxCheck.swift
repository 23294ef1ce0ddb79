package import OutboxCore
import OutboxFormat
package import SQLite
package import StoreFormat

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Checks every event of a store's outbox, and every entity that events are about.
///
/// It takes no samples, and its memory doesn't grow with the number of rows. It writes only to
/// temporary tables of the connection.
package struct OutboxCheck: Sendable {
  let table: OutboxTable
  let subjects: [OutboxEventType: RequestTable]
  let rules: OutboxRules

  /// The number of rows read at once.
  private static let batch = 500

  /// Prepares the check of a store.
  ///
  /// - Throws: An ``OutboxError`` if the store has no outbox of FitIQCore's form.
  package init(_ store: StoreDescription, rules: OutboxRules? = nil) throws(OutboxError) {
    table = try OutboxTable(store)
    subjects = RequestTable.subjects(of: store)
    self.rules = rules ?? OutboxRules(of: store)
  }

  /// Finds the open events, except deletes, whose entity isn't in the store.
  ///
  /// Rows that can't be read as events are findings, too: their entities are unknown.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  package func orphans(
    ofUser userID: String? = nil, _ connection: borrowing Connection
  ) throws(SQLiteError) -> OutboxFindings {
    var findings = OutboxFindings()
    try noteUnreadable(OutboxScope(userID: userID), &findings, connection)
    let finder = entityFinder
    try eachEvent(userID, connection) { row, event, connection throws(SQLiteError) in
      guard event.status != .completed, event.metadata?.deletion == nil else { return }
      if try isOrphaned(event, finder, connection) {
        findings.note(.orphaned, OutboxTable.entity, row.key, event.eventType)
      }
    }
    return findings
  }

  /// Finds all problems of the events in a scope, and of the entities in it.
  ///
  /// An event counts as the double of another one even if that one isn't in the scope.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  package func findings(
    at now: Date, in scope: OutboxScope = OutboxScope(), _ connection: borrowing Connection
  ) throws(SQLiteError) -> OutboxFindings {
    var findings = OutboxFindings()
    try noteUnreadable(scope, &findings, connection)
    let finder = entityFinder
    try eachEvent(scope.userID, connection) { row, event, connection throws(SQLiteError) in
      guard scope.contains(event) else { return }
      for kind in try kinds(row, event, at: now, finder, connection) {
        findings.note(kind, OutboxTable.entity, row.key, event.eventType)
      }
    }
    try noteDuplicates(scope, &findings, connection)
    try noteEntities(scope, &findings, connection)
    return findings
  }

  private func kinds(
    _ row: OutboxRow, _ event: OutboxEvent, at now: Date, _ finder: EntityFinder,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OutboxFinding.Kind] {
    guard event.status != .completed else { return [] }
    var kinds: [OutboxFinding.Kind] = []
    if event.status == .processing { kinds.append(.stuck) }
    if event.isStale(at: now, threshold: rules.staleThreshold) { kinds.append(.stale) }
    if event.status == .failed && !event.canRetry { kinds.append(.exhausted) }
    if row.hasUnknownMetadata { kinds.append(.unknownMetadata) }
    if let deletion = event.metadata?.deletion {
      let names =
        event.eventType == .chatMessage ? deletion.conversationID : deletion.backendID
      if names == nil { kinds.append(.deletesNothing) }
      if try !isOrphaned(event, finder, connection) { kinds.append(.deletesLiveEntity) }
    } else if try isOrphaned(event, finder, connection) {
      kinds.append(.orphaned)
    }
    return kinds
  }

  private func isOrphaned(
    _ event: OutboxEvent, _ finder: EntityFinder, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try finder.key(event.eventType, event.entityID.bytes.span, connection) == nil
  }

  /// A finder of the entities that events are about.
  var entityFinder: EntityFinder { EntityFinder(subjects.mapValues(\.rows)) }

  /// Visits the events in the order of their keys.
  func eachEvent(
    _ userID: String?, _ connection: borrowing Connection,
    _ body: (OutboxRow, OutboxEvent, borrowing Connection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    var last = Int64(0)
    while true {
      let rows = try table.rows(
        OutboxSelection(userID: userID), after: last, limit: Self.batch, connection)
      guard let end = rows.last?.key else { return }
      for row in rows {
        if let event = row.event { try body(row, event, connection) }
      }
      last = end
    }
  }
}
