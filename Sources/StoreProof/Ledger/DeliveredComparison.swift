import SQLite
import StoreFormat
import StoreModel
import RowRewriting
import OutboxConversion

/// Compares the deliverable rows of an outbox with the rows that they were made from.
///
/// It makes no decisions. What a new row states must be in the old row or its payload. A row that
/// isn't in the new store must be listed as set aside, with the row that stands in for it, if any.
struct DeliveredComparison {
  package let rows: RowProgram
  package let delivery: Delivery

  /// The columns of the source that must be unchanged in the target, with their indices there.
  private let copies: [Copy]
  private var accounts: [LedgerEntry]
  package private(set) var findings: [Finding] = []
  package private(set) var counts = DeliveryCounts()

  /// A value that is copied unchanged.
  private struct Copy {
    let column: Int
    let place: Int
  }

  package init(_ rows: RowProgram, _ delivery: Delivery, leavingOut: Set<String>) {
    self.rows = rows
    self.delivery = delivery
    copies = rows.cells.enumerated().compactMap { place, cell in
      guard case .column(let column) = cell, !delivery.target.places.contains(place),
        !leavingOut.contains(rows.table.columns[place].name.uppercased())
      else { return nil }
      return Copy(column: column, place: place)
    }
    accounts = rows.sourceProperties.map {
      LedgerEntry(entity: rows.sourceEntity, property: $0)
    }
  }

  /// Returns the ledger entries of the columns that are compared.
  package func entries(leavingOut: Set<String>) -> [LedgerEntry] {
    zip(rows.sourceColumns, accounts).compactMap { column, entry in
      guard case .named(let name) = column, !leavingOut.contains(name.uppercased()) else {
        return nil
      }
      return entry
    }
  }

  /// Counts a row that isn't in the target.
  package mutating func setAside(_ fate: SetAsideRows.Fate) {
    counts.rows += 1
    switch fate {
    case .quarantined(let reason): counts.quarantined[reason, default: 0] += 1
    case .cancelled: counts.cancelled += 1
    case .folded: counts.folded += 1
    }
    for place in accounts.indices {
      accounts[place].rows += 1
      accounts[place].setAside += 1
    }
  }

  /// Compares a row with the row that was made from it.
  package mutating func compare(_ old: borrowing Statement, _ new: borrowing Statement) {
    counts.rows += 1
    counts.delivered += 1
    for copy in copies
    where !old.holds(at: copy.column, sameAs: new, at: copy.place, by: .identical) {
      report("'\(rows.sourceProperties[copy.column])' was not copied", old)
    }
    let payload = old.bytes(at: delivery.source.payload)
    checkRoute(old, new)
    checkNames(payload, old, new)
    let isDelete = new.string(at: delivery.target.metadata)?.isDelete == true
    let copied = Set(copies.map(\.column))
    for place in accounts.indices {
      accounts[place].rows += 1
      if copied.contains(place) || isCarried(place, old, new) {
        accounts[place].identical += 1
      } else if place == delivery.source.payload ? isDelete : isReworded(place) {
        accounts[place].computed += 1
      } else {
        accounts[place].setAside += 1
      }
    }
  }

  private func isReworded(_ column: Int) -> Bool {
    column == delivery.source.eventType || column == delivery.source.status
  }

  /// Returns whether a column of the target that is computed from this column holds its value.
  private func isCarried(
    _ column: Int, _ old: borrowing Statement, _ new: borrowing Statement
  ) -> Bool {
    rows.cells.indices.contains { place in
      rows.columns(of: rows.cells[place]).contains(column)
        && old.holds(at: column, sameAs: new, at: place, by: .identical)
    }
  }

  /// Checks that the event type and the status follow from the old ones.
  private mutating func checkRoute(_ old: borrowing Statement, _ new: borrowing Statement) {
    let type = old.string(at: delivery.source.eventType) ?? ""
    // Written independently of the conversion, so that a mistake there isn't repeated here.
    let expected =
      switch type.prefix(while: { $0 != "." }) {
      case "mood": "moodEntry"
      case "journal": "journalEntry"
      case "conversation", "chat": "chatMessage"
      default: type.hasPrefix("goal.") ? "goal" : type
      }
    if new.string(at: delivery.target.eventType) != expected {
      report("the event type doesn't follow from the old one", old)
    }
    let status = old.string(at: delivery.source.status)
    if new.string(at: delivery.target.status) != (status == "processing" ? "pending" : status) {
      report("the status doesn't follow from the old one", old)
    }
  }

  /// Checks that the new row's ids are in the old row or its payload.
  private mutating func checkNames(
    _ payload: [UInt8], _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    let said = String(decoding: payload, as: UTF8.self).uppercased()
    let id = new.bytes(at: delivery.target.entityID)
    let isOwn = rows.columns(of: rows.cells[delivery.target.entityID]).contains {
      $0 != delivery.source.id
        && old.holds(at: $0, sameAs: new, at: delivery.target.entityID, by: .identical)
    }
    // A plain search can't find an id that is written with escapes, so such a payload passes.
    if id.count != 16 || !(isOwn || said.contains(uuidText(id)) || said.contains("\\")) {
      report("the payload doesn't name the entity", old)
    }
    if new.isNull(at: delivery.target.userID) { report("the row has no owner", old) }
    let deleted = new.string(at: delivery.target.metadata)?.deletedID
    if let deleted, !said.contains(deleted.uppercased()), !isOwn, !said.contains("\\") {
      report("the payload doesn't name the deleted entity", old)
    }
  }

  package mutating func report(_ message: String, _ row: borrowing Statement) {
    report(message, key: row.int64(at: 0))
  }

  package mutating func report(_ message: String, key: Int64) {
    guard findings.count < Ledger.findingLimit else { return }
    findings.append(Finding(.ledger, "\(rows.sourceEntity)/\(key): \(message)"))
  }
}

extension String {
  /// Whether this is the metadata of a delete.
  fileprivate var isDelete: Bool {
    hasPrefix("{\"type\":\"generic\",\"data\":{\"operation\":\"delete\"")
  }

  /// The id in the metadata of a delete, if there is one in plain text.
  fileprivate var deletedID: String? {
    guard isDelete, let colon = lastIndex(of: ":") else { return nil }
    let id = self[index(after: colon)...].dropLast(2)
    guard id.hasPrefix("\""), id.hasSuffix("\""), id != "\"delete\"", !id.contains("\\") else {
      return nil
    }
    return String(id.dropFirst().dropLast())
  }
}
