import InputFiles
import Platform
import StoreMigration
import TemplateImport

/// The path of an app's preferences, found in a folder such as an `.xcappdata`.
struct PreferencesPath {
  /// The path of the property list; the word as typed if it isn't a folder.
  let path: String

  /// The maximum depth; in an `.xcappdata`, preferences are in `AppData/Library/Preferences`.
  private static let deepest = 5

  /// Finds the preferences that a word means.
  ///
  /// - Parameters:
  ///   - word: The path as typed.
  ///   - key: The key that the preferences of a folder must have.
  /// - Throws: A ``Failure`` if a folder has none with the key, or several.
  init(_ word: String, key: String) throws(Failure) {
    guard (try? FileStatus(of: word).kind) == .directory else {
      path = word
      return
    }
    let found = Self.lists(in: word).filter { Self.has(key, at: $0) }
    guard let first = found.first else {
      throw Failure(.noStore, "there are no preferences with the key '\(key)' in '\(word)'")
    }
    guard found.count == 1 else {
      let names = found.map { "'\($0)'" }.joined(separator: ", ")
      throw Failure(.misuse, "'\(word)' has several preferences with the key; give one of \(names)")
    }
    path = first
  }

  private static func has(_ key: String, at path: String) -> Bool {
    guard let bytes = try? FileSystem.read(path, limit: Preferences.maximumByteCount),
      let preferences = try? Preferences(bytes)
    else { return false }
    return (try? preferences.json(under: key)) != nil
  }

  /// Returns the property lists in the folders 'Preferences' below a folder.
  private static func lists(in folder: String) -> [String] {
    // The app's documents come before its preferences, and may be many.
    FileSystem.files(below: folder, depth: deepest, limit: 1_000_000).filter {
      $0.hasSuffix(".plist") && FileSystem.name(of: FileSystem.parent(of: $0)) == "Preferences"
    }
  }
}
