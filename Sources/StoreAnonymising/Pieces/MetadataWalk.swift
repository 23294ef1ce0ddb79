import PropertyList
import StoreFormat

extension ValueWalk {
  /// Returns the metadata with what Core Data writes, and other values replaced.
  ///
  /// Each value that stays has the form that Core Data gives it, so that nothing else hides there.
  func metadata(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    guard let list = try? PropertyList(binary: bytes), case .dictionary(let members) = list else {
      return try blob(bytes, column)
    }
    let walk = PropertyListWalk(values: self, column: column)
    var result: [String: PropertyList] = [:]
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      if Self.isOfCoreData(key, value) {
        result[key] = value
      } else {
        let isKnown = Self.metadataKeys.contains(key)
        let name = isKnown ? Array(key.utf8) : try text(Array(key.utf8), column)
        result[String(decoding: name, as: UTF8.self)] = try walk.walk(value)
      }
    }
    return PropertyList.dictionary(result).binary()
  }

  private static let metadataKeys: Set = [
    "NSStoreType", "_NSAutoVacuumLevel", "NSStoreModelVersionHashesVersion",
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
    "NSStoreModelVersionIdentifiers", "NSStoreModelVersionHashes",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
  ]

  /// Whether a value is what Core Data writes for a key.
  private static func isOfCoreData(_ key: String, _ value: PropertyList) -> Bool {
    switch (key, value) {
    case ("NSStoreType", .string(let text)): text == "SQLite"
    case ("_NSAutoVacuumLevel", .string(let text)): ["0", "1", "2"].contains(text)
    case ("NSStoreModelVersionHashesVersion", .integer(let number)),
      ("NSPersistenceFrameworkVersion", .integer(let number)),
      ("NSPersistenceMaximumFrameworkVersion", .integer(let number)):
      (0...999_999).contains(number)
    case ("NSStoreModelVersionIdentifiers", .array(let elements)):
      elements.allSatisfy { $0.stringValue?.isVersionIdentifier == true }
    case ("NSStoreModelVersionHashes", .dictionary(let hashes)):
      hashes.values.allSatisfy { $0.dataValue?.count == 32 }
    case ("NSStoreModelVersionHashesDigest", .string(let text)): text.isBase64(of: 64)
    case ("NSStoreModelVersionChecksumKey", .string(let text)): text.isBase64(of: 32)
    default: false
    }
  }

  /// Returns a model cache that can be read without what isn't part of its model.
  func modelCache(_ bytes: [UInt8], _ column: ColumnShape) throws -> [UInt8] {
    if let plain = CachedModel(bytes)?.plain { return plain }
    guard case .bytes(let other) = try change(.bytes(bytes), column) else { return bytes }
    return other
  }
}

extension String {
  /// Whether the text is a version as developers write it: short, or numbers with dots.
  fileprivate var isVersionIdentifier: Bool {
    utf8.count <= 20 && utf8.allSatisfy { $0.isOfWord || [0x2E, 0x2D, 0x5F].contains($0) }
  }
}

extension String {
  /// Whether the text is the one form in Base64 of some bytes: of a digest with that many.
  fileprivate func isBase64(of count: Int) -> Bool {
    let text = Array(utf8)
    let padding = (3 - count % 3) % 3
    let length = (count + 2) / 3 * 4
    guard text.count == length else { return false }
    // The last letter has as many zero bits as the padding leaves over.
    let last = padding == 2 ? "AQgw" : padding == 1 ? "AEIMQUYcgkosw048" : nil
    let content = text.dropLast(padding)
    return text.suffix(padding).allSatisfy { $0 == 0x3D } && content.allSatisfy(\.isOfBase64)
      && content.last.map { letter in last?.utf8.contains(letter) ?? true } == true
  }
}

extension UInt8 {
  fileprivate var isOfBase64: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
    default: false
    }
  }
}
