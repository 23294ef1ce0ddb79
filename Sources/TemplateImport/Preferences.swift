import Platform
import PropertyList

/// An app's preferences: the property list that `UserDefaults` keeps.
package struct Preferences: Hashable, Sendable {
  /// The key that FitIQ kept its workout templates under.
  ///
  /// Probable rather than certain: it stands in "Workout Template SwiftData Migration" only.
  package static let templatesKey = "com.fitiq.workout.templates"

  /// The most bytes that are read: 64 MiB.
  package static let maximumByteCount = 64 << 20

  private let values: [String: PropertyList]

  /// Reads a property list, in its binary form or in XML.
  ///
  /// - Parameter bytes: The bytes of the file.
  /// - Throws: ``TemplateImportError/noPropertyList(_:)`` or ``TemplateImportError/noDictionary``.
  package init(_ bytes: [UInt8]) throws(TemplateImportError) {
    guard case .dictionary(let values) = try Self.list(bytes) else { throw .noDictionary }
    self.values = values
  }

  private static func list(_ bytes: [UInt8]) throws(TemplateImportError) -> PropertyList {
    var binary = bytes
    if !bytes.starts(with: Array("bplist".utf8)) {
      guard let read = binaryPropertyList(fromXML: bytes) else {
        throw .noPropertyList("it is neither binary ('bplist00') nor XML")
      }
      binary = read
    }
    do {
      return try PropertyList(binary: binary)
    } catch {
      throw .noPropertyList(error.description)
    }
  }

  /// Returns the JSON text under a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes, of data or of a string.
  /// - Throws: ``TemplateImportError/noKey(_:near:)`` or ``TemplateImportError/noJSON(_:)``.
  package func json(under key: String) throws(TemplateImportError) -> [UInt8] {
    switch values[key] {
    case .data(let bytes): return bytes
    case .string(let text): return Array(text.utf8)
    case .none:
      let near = values.keys.filter { $0.lowercased().contains("template") }.sorted()
      throw .noKey(key, near: Array(near.prefix(5)))
    default: throw .noJSON(key)
    }
  }
}
