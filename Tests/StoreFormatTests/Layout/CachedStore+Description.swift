import Platform
import SQLite
import StoreFormat
import TestSupport

extension CachedStore {
  /// What the store says of itself, read from a copy with its log.
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

  /// The stores that nobody altered after the framework had made them.
  ///
  /// In the others, appended columns and renamed tables stand where a fresh file wouldn't have them.
  static let fresh = all.filter { !$0.name.hasPrefix("wire-") }
}
