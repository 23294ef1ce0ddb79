import Platform
import PropertyList
import StoreFormat
import StoreModel

/// A model cache that can be read, and the cache of the same model without anything else.
struct CachedModel {
  /// The cache to write; `nil` if none has the same model.
  let plain: [UInt8]?

  /// The texts of a cache that has more than its model; empty for one that is written from it.
  let texts: Set<String>

  /// Reads a cache; returns `nil` if it has no model.
  init?(_ bytes: [UInt8]) {
    guard let model = try? ModelCache.decode(bytes) else { return nil }
    if let encoded = try? ModelCache.encode(model), Self.hasModel(model, encoded) {
      (plain, texts) = (encoded, [])
      return
    }
    // Parts of the model aren't read, so the archive is copied: what its root leads to.
    guard let archive = try? ModelCache.archive(bytes).reachable else { return nil }
    let copied = deflateRaw(archive.propertyList.binary(), level: 5)
    plain = Self.hasModel(model, copied) ? copied : nil
    texts = archive.objects.reduce(into: []) { $0.formUnion($1.texts) }
  }

  private static func hasModel(_ model: Model, _ bytes: [UInt8]) -> Bool {
    (try? ModelCache.decode(bytes)) == model
  }
}

extension KeyedArchive {
  /// The archive with only the objects that its root leads to, in their order.
  ///
  /// A reference to a missing object becomes one to `nil`.
  fileprivate var reachable: KeyedArchive {
    var isReached = [Bool](repeating: false, count: objects.count)
    isReached[0] = true
    var waiting = [root]
    while let place = waiting.popLast() {
      guard !isReached[place] else { continue }
      isReached[place] = true
      waiting += objects[place].references.filter { $0 < UInt64(objects.count) }.map { Int($0) }
    }
    var places: [UInt64: UInt64] = [:]
    for place in objects.indices where isReached[place] {
      places[UInt64(place)] = UInt64(places.count)
    }
    return KeyedArchive(
      objects: objects.indices.filter { isReached[$0] }.map { objects[$0].referring(by: places) },
      root: Int(places[UInt64(root)] ?? 0))
  }
}

extension PropertyList {
  /// The numbers of the objects that an object leads to.
  fileprivate var references: [UInt64] {
    switch self {
    case .uid(let place): [place]
    case .array(let elements), .set(let elements): elements.flatMap(\.references)
    case .dictionary(let members): members.values.flatMap(\.references)
    case .boolean, .integer, .unsigned, .real, .float, .date, .data, .string, .null: []
    }
  }

  /// The object with other numbers for those that it leads to.
  fileprivate func referring(by places: [UInt64: UInt64]) -> PropertyList {
    switch self {
    case .uid(let place): .uid(places[place] ?? 0)
    case .array(let elements): .array(elements.map { $0.referring(by: places) })
    case .set(let elements): .set(elements.map { $0.referring(by: places) })
    case .dictionary(let members): .dictionary(members.mapValues { $0.referring(by: places) })
    case .boolean, .integer, .unsigned, .real, .float, .date, .data, .string, .null: self
    }
  }

  /// The texts of an object, and numbers of more than six digits; bytes as text or by their count.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .data(let bytes): [String(validating: bytes, as: UTF8.self) ?? "\(bytes.count) bytes"]
    case .array(let elements), .set(let elements): elements.flatMap(\.texts)
    case .dictionary(let members): members.keys.map { $0 } + members.values.flatMap(\.texts)
    case .integer(let number): number.magnitude > 999_999 ? ["\(number)"] : []
    case .unsigned(let number): ["\(number)"]
    case .real(let number), .date(let number): ["\(number)"]
    case .float(let number): ["\(number)"]
    case .boolean, .uid, .null: []
    }
  }
}
