import CMigrations
import CPlatform

/// A schema or migration file that is embedded in the program.
package struct EmbeddedFile: Hashable, Sendable {
  /// The path relative to `migrations/`, such as `lume/V6.json`.
  package let path: String

  /// The contents of the file.
  package let bytes: [UInt8]

  /// All embedded files, ordered by path.
  package static let all: [EmbeddedFile] = (0..<cmigrations_file_count).compactMap { index in
    guard let file = cmigrations_file(index)?.pointee, let path = file.path else { return nil }
    return EmbeddedFile(
      path: String(cString: path),
      bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
  }

  /// Returns whether the file contains a text.
  ///
  /// The corresponding C function is `memmem`.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package func holds(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return cplatform_holds(bytes, bytes.count, text, text.count) == 1
  }

  /// Returns the contents of an embedded file, or `nil` if there isn't one at the path.
  package static func bytes(at path: String) -> [UInt8]? {
    all.first { $0.path == path }?.bytes
  }
}
