import SQLite
import StoreModel
import OutboxConversion

/// The rows of a quarantine to restore: all, or those that the user named.
struct QuarantineSelection: Hashable {
  /// The names that haven't matched a row yet, by key and by id.
  private var keys: [Int64: String] = [:]
  private var ids: [[UInt8]: String] = [:]

  /// Whether all rows are selected, because the user named none.
  let isOfAll: Bool

  /// Parses the names that the user typed.
  ///
  /// - Throws: ``RequestError/badRow(_:)`` if a name isn't a row's,
  ///   ``RequestError/noEntity(_:known:)`` if it is a row's of another entity.
  init(_ names: [String]) throws(RequestError) {
    isOfAll = names.isEmpty
    for name in names {
      switch RowAddress(name) {
      case .uuid(let text): ids[uuidBytes(text) ?? []] = name
      case .key(let entity, let key)
      where entity.lowercased() == QuarantineHeader.entity.lowercased():
        keys[key] = name
      case .key(let entity, _):
        throw .noEntity(entity, known: [QuarantineHeader.entity])
      case nil: throw .badRow(name)
      }
    }
  }

  /// Returns whether a row is named; its names then count as matched.
  mutating func takes(_ row: QuarantinedRow) -> Bool {
    let isKey = keys.removeValue(forKey: row.key) != nil
    let isID = ids.removeValue(forKey: row.value(of: "ZID")?.bytes ?? []) != nil
    return isKey || isID
  }

  /// The first name that matched no row; `nil` if all did.
  var missing: String? { (Array(keys.values) + Array(ids.values)).min() }
}
