import JSONText
import OutboxCore
import OutboxStore
import SafeText
import StoreModel

extension [OutboxEventType: OutboxEntityStates] {
  private var sorted: [(type: OutboxEventType, states: OutboxEntityStates)] {
    OutboxEventType.allCases.compactMap { type in self[type].map { (type, $0) } }
  }

  /// The rate of all types whose upload the store records, in percent; 100 without entities.
  private var syncRate: Double {
    let recorded = values.filter(\.isRecorded)
    let entities = recorded.reduce(0) { $0 + $1.entities }
    let synced = recorded.reduce(0) { $0 + $1.synced }
    return entities == 0 ? 100 : Double(synced) / Double(entities) * 100
  }

  /// The members of a report's JSON object.
  var members: [JSONValue.Member] {
    [
      .init("sync_rate", .double(syncRate)),
      .init("entities", JSONValue(sorted) { $1.json($0) }),
    ]
  }

  /// Returns a table with a row for each type, and an empty line; nothing without types.
  func lines(_ style: Style) -> [String] {
    if isEmpty { return [] }
    let head: [Cell] = [
      "entities of", "all", "pending", "syncing", "synced", "failed", "other", "queued", "missing",
      "sync rate",
    ]
    let table = Columns(
      rows: [head] + sorted.map { $1.cells($0) }, rightAligned: Set(1...9))
    return table.lines(style) + [""]
  }
}

extension OutboxEntityStates {
  private var counts: [(key: String, count: Int)] {
    [
      ("entities", entities), ("pending", pending), ("syncing", syncing), ("synced", synced),
      ("failed", failed), ("other", other), ("queued", queued), ("missing", missing),
    ]
  }

  fileprivate func json(_ type: OutboxEventType) -> JSONValue {
    .object(
      [.init("event_type", .string(type.rawValue))]
        + counts.map { .init($0.key, JSONValue($0.count)) }
        + [.init("sync_rate", isRecorded ? .double(syncRate) : .null)])
  }

  fileprivate func cells(_ type: OutboxEventType) -> [Cell] {
    [Cell(type.rawValue)] + counts.map { Cell($0.count.grouped) }
      + [Cell(isRecorded ? syncRate.percent : "not recorded")]
  }
}
