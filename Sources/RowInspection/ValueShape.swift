import JSONText
import Platform
import SQLite
import StoreFormat

/// What a text or bytes are, without their content.
package enum ValueShape: Hashable, Sendable {
  /// A JSON object with so many keys.
  case jsonObject(keys: Int)

  /// A JSON array of so many values.
  case jsonArray(values: Int)

  /// Bytes that begin as a known format does, such as `PNG image`.
  case format(String)

  /// The bytes are in a file beside the store, of so many bytes; `nil` if the file is missing.
  case externalFile(bytes: Int64?)

  /// The shape in words.
  package var text: String {
    switch self {
    case .jsonObject(let keys): "JSON object, \(keys) key\(keys == 1 ? "" : "s")"
    case .jsonArray(let values): "JSON array, \(values) value\(values == 1 ? "" : "s")"
    case .format(let name): name
    case .externalFile(let bytes?): "external file, \(bytes) bytes"
    case .externalFile(nil): "external file, missing"
    }
  }
}

extension ValueShape {
  /// Recognises a value; `nil` for numbers, and for a text or bytes of no known form.
  ///
  /// - Parameters:
  ///   - value: The value, as it is stored.
  ///   - isExternal: Whether the attribute may keep its bytes in a file.
  ///   - files: The store's files; `nil` if they aren't at hand.
  init?(_ value: Value, isExternal: Bool, in files: StoreFiles?) {
    switch value {
    case .null, .integer, .real: return nil
    case .text(let bytes):
      guard let shape = Self.json(bytes) else { return nil }
      self = shape
    case .blob(let bytes):
      // The first byte says where the rest is (`StoreFormat.md` §13).
      if isExternal, bytes.first == 2, bytes.count == 38, let files {
        self = .externalFile(bytes: Self.size(of: bytes[1..<37], in: files))
        return
      }
      let content = isExternal && bytes.first == 1 ? Array(bytes.dropFirst()) : bytes
      guard let shape = Self.json(content) ?? Self.format(content) else { return nil }
      self = shape
    }
  }

  /// The longest text that is parsed, in bytes.
  private static let longest = 4 << 20

  private static func json(_ bytes: [UInt8]) -> ValueShape? {
    guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let node = try? JSONNode(parsing: bytes, maximumByteCount: longest)
    else { return nil }
    switch node.value {
    case .object(let members): return .jsonObject(keys: members.count)
    case .array(let values): return .jsonArray(values: values.count)
    case .null, .bool, .number, .string: return nil
    }
  }

  private static func format(_ bytes: [UInt8]) -> ValueShape? {
    let known: [([UInt8], String)] = [
      ([0x89, 0x50, 0x4E, 0x47], "PNG image"), ([0xFF, 0xD8, 0xFF], "JPEG image"),
      (Array("GIF8".utf8), "GIF image"), (Array("%PDF-".utf8), "PDF document"),
      (Array("bplist00".utf8), "binary property list"),
      (Array("SQLite format 3".utf8), "SQLite database"),
      ([0x50, 0x4B, 0x03, 0x04], "ZIP archive"), ([0x1F, 0x8B], "gzip data"),
    ]
    if let name = known.first(where: { bytes.starts(with: $0.0) })?.1 { return .format(name) }
    let isHEIC = bytes.count > 12 && bytes[4..<12].elementsEqual("ftypheic".utf8)
    if isHEIC { return .format("HEIC image") }
    return !bytes.isEmpty && String(validating: bytes, as: UTF8.self) != nil
      ? .format("UTF-8 text") : nil
  }

  /// Returns the size of an external file, without following links.
  private static func size(of name: ArraySlice<UInt8>, in files: StoreFiles) -> Int64? {
    let isName = name.allSatisfy {
      $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x46).contains($0)
    }
    guard isName, let folder = try? files.openExternalData(),
      let status = try? folder.statusIfPresent(of: String(decoding: name, as: UTF8.self)),
      status.kind == .regular
    else { return nil }
    return Int64(status.size)
  }
}
