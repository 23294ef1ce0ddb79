import StoreMigration
import SQLite
import RowRewriting
import OutboxConversion

extension DeliveryPass {
  /// Decides the outcome of one row; returns `nil` if the table doesn't have it.
  static func outcome(
    of key: Int64, in program: RowProgram, _ delivery: Delivery,
    _ connection: borrowing Connection
  ) throws -> OutboxOutcome? {
    var pass = try DeliveryPass(program, delivery, connection, schema: "main")
    var row = try connection.prepare(program.query(schema: "main", key: "?1"))
    try row.bindInt64(key, at: 1)
    return try row.step() ? try pass.outcome(of: row, connection) : nil
  }
}

extension Explanation {
  /// Returns the explanation of an outbox row that is requested in deliverable form.
  func replacing(by outcome: OutboxOutcome?) -> Explanation {
    Explanation(
      path: path, app: app, from: from, to: to, entity: entity, key: key,
      newEntity: outcome?.fate == nil ? newEntity : nil, row: row, events: [], fates: [],
      outcome: outcome.map { $0.sentence(entity) }, fate: outcome?.word)
  }
}

extension OutboxOutcome {
  /// The fate of a row that isn't written, in one word.
  fileprivate var word: String? {
    switch self {
    case .delivered, .kept: nil
    case .quarantined: "quarantined"
    case .cancelled: "cancelled"
    case .folded: "folded"
    }
  }

  /// A sentence about what becomes of the row, without values.
  fileprivate func sentence(_ entity: String) -> String {
    switch self {
    case .delivered(let row):
      "written in the form that the app sends: '\(row.eventType)', \(row.status), priority \(row.priority)"
        + (row.isNewRecord ? ", new to the server" : "")
    case .kept(let row):
      "copied: the app wrote it in this form"
        + (row.mended.isEmpty ? "" : "; repaired: \(row.mended.joined(separator: ", "))")
    case .quarantined(let reason): "not written, in quarantine: \(reason.meaning)"
    case .cancelled(let key): "cancelled with \(entity)/\(key): they undo each other"
    case .folded(let key): "folded into \(entity)/\(key), which sends the same"
    }
  }
}

extension KeptRow {
  /// The repaired attributes, by their names in the model.
  fileprivate var mended: [String] {
    [
      user.map { _ in "its 'userID'" }, isNewRecord.map { _ in "its 'isNewRecord'" },
      metadata.map { _ in "its 'metadata'" },
    ].compactMap(\.self)
  }
}
