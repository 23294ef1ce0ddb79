import JSONText
import PropertyList
import XMLText

/// The preferences of an app: the property list that `UserDefaults` writes.
package struct Preferences: Hashable, Sendable {
  /// The key of FitIQ's workout templates.
  ///
  /// Probable, not certain: its only source is "Workout Template SwiftData Migration".
  package static let templatesKey = "com.fitiq.workout.templates"

  /// The maximum size in bytes: 64 MiB.
  package static let maximumByteCount = 64 << 20

  private let values: [String: PropertyList]

  /// Parses a binary or XML property list.
  ///
  /// - Parameter bytes: The contents of the file.
  /// - Throws: ``TemplateImportError/noPropertyList(_:)`` or ``TemplateImportError/noDictionary``.
  package init(_ bytes: [UInt8]) throws(TemplateImportError) {
    guard case .dictionary(let values) = try Self.list(bytes) else { throw .noDictionary }
    self.values = values
  }

  private static func list(_ bytes: [UInt8]) throws(TemplateImportError) -> PropertyList {
    guard bytes.starts(with: "bplist".utf8) else {
      do throws(XMLError) {
        return try PropertyList(xml: bytes)
      } catch {
        // The reason could quote a value.
        let place = error.position
        throw .noPropertyList(
          "it is neither binary ('bplist00') nor valid XML; see line \(place.line), column "
            + "\(place.column)")
      }
    }
    do {
      return try PropertyList(binary: bytes)
    } catch {
      throw .noPropertyList(error.description)
    }
  }

  /// Returns the JSON text for a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes of the data or string.
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
