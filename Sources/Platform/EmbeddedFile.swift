import CMigrations
import CPlatform

/// A schema or migration file that is embedded in the program.
package struct EmbeddedFile: Hashable, Sendable {
  /// The path relative to `migrations/`, such as `lume/V6.json`.
  package let path: String

  /// The place among all files.
  private let index: Int

  /// The contents of the file, in the program's own memory until they are asked for.
  package var bytes: [UInt8] { Array(buffer) }

  private var buffer: UnsafeBufferPointer<UInt8> {
    let file = cmigrations_file(index)?.pointee
    return UnsafeBufferPointer(start: file?.bytes, count: file?.count ?? 0)
  }

  /// All embedded files, ordered by path.
  package static let all: [EmbeddedFile] = (0..<cmigrations_file_count).compactMap { index in
    guard let path = cmigrations_file(index)?.pointee.path else { return nil }
    return EmbeddedFile(path: String(cString: path), index: index)
  }

  /// Returns whether the file contains a text.
  ///
  /// The corresponding C function is `memmem`.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package func holds(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return cplatform_holds(buffer.baseAddress, buffer.count, text, text.count) == 1
  }

  /// Returns the contents of an embedded file, or `nil` if there isn't one at the path.
  package static func bytes(at path: String) -> [UInt8]? {
    all.first { $0.path == path }?.bytes
  }
}
