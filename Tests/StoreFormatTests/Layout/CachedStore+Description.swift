import Platform
import SQLite
import StoreFormat
import TestSupport

extension CachedStore {
  /// The description of the store, read from a copy with its log.
  func description() throws -> StoreDescription {
    let directory = try TemporaryDirectory()
    return try withExtendedLifetime(directory) {
      for suffix in ["", "-wal"] where try FileSystem.exists(path + suffix) {
        _ = try FileSystem.copy(path + suffix, to: directory.path("store" + suffix))
      }
      let connection = try Connection(
        path: directory.path("store"), mode: .readOnlyUnshared)
      return try StoreDescription(reading: connection)
    }
  }

  /// The stores that weren't changed after Core Data created them.
  ///
  /// In the others, appended columns and renamed tables aren't where a new store would have them.
  static let fresh = all.filter { !$0.name.hasPrefix("wire-") }
}
