import OutboxFormat
import SQLite
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// The rows of a quarantine that are meant: all, or those that are named.
struct QuarantineSelection: Hashable {
  /// The names that no row has answered to yet.
  private var keys: [Int64: String] = [:]
  private var ids: [[UInt8]: String] = [:]

  /// A Boolean value indicating whether nothing was named: all are meant.
  let isOfAll: Bool

  /// Reads what was typed.
  ///
  /// - Throws: ``RequestError/badRow(_:)`` for what names no row of an outbox.
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

  /// Returns whether a row is named.
  mutating func takes(_ row: QuarantinedRow) -> Bool {
    let isKey = keys.removeValue(forKey: row.key) != nil
    let isID = ids.removeValue(forKey: row.value(of: "ZID")?.bytes ?? []) != nil
    return isKey || isID
  }

  /// A name that no row answers to; none where all do.
  var missing: String? { (Array(keys.values) + Array(ids.values)).min() }
}

extension QuarantinedRow {
  /// A Boolean value indicating whether it holds a password or a token, or is likely to.
  var holdsSecret: Bool {
    if reason == .account { return true }
    return ["ZPAYLOAD", "ZMETADATA"].contains { column in
      guard let bytes = value(of: column)?.bytes else { return false }
      return bytes.span.namesSecret
    }
  }
}
