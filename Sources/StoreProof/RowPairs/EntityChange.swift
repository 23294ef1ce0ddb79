import StoreModel

/// The numbers of rows of an entity that were added, changed and removed.
public struct EntityChange: Hashable, Sendable {
  /// The entity's name.
  public let entity: String

  /// The number of added rows.
  public let added: Int64

  /// The number of rows with a changed value.
  public let changed: Int64

  /// The number of removed rows.
  public let removed: Int64

  package init(entity: String, added: Int64, changed: Int64, removed: Int64) {
    self.entity = entity
    self.added = added
    self.changed = changed
    self.removed = removed
  }
}

extension EntityChange {
  /// The change in words, such as `3 SDOutboxEvent rows added, 1 changed`.
  public var sentence: String {
    let parts = [(added, "added"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }
    guard let first = parts.first else { return "no \(entity) rows changed" }
    let rest = parts.dropFirst().map { "\($0.0.grouped) \($0.1)" }
    let head = counted(first.0, "\(entity) row", "\(entity) rows")
    return (["\(head) \(first.1)"] + rest).joined(separator: ", ")
  }
}
