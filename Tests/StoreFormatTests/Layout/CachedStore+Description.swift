import Platform
import SQLite
import StoreFormat
import TestSupport

extension CachedStore {
  /// The description of the store, read from a copy with its log.
  func description() throws -> StoreDescription {
    let directory = try TemporaryDirectory()
    return try withExtendedLifetime(directory) {
      let connection = try Connection(path: copy(into: directory), mode: .readOnlyUnshared)
      return try StoreDescription(reading: connection)
    }
  }

  /// Copies the store with its log into a folder, and returns the path of the copy.
  func copy(into directory: TemporaryDirectory) throws -> String {
    for suffix in ["", "-wal"] where try FileSystem.exists(path + suffix) {
      _ = try FileSystem.copy(path + suffix, to: directory.path("store" + suffix))
    }
    return directory.path("store")
  }

  /// The stores that weren't changed after Core Data created them.
  ///
  /// In the others, appended columns and renamed tables aren't where a new store would have them.
  static let fresh = all.filter { !$0.name.hasPrefix("wire-") }

  /// The stores whose statements are in the order in which Core Data created them.
  ///
  /// A migration moved the tables of one of the others. The second one has a derived attribute, so a
  /// new store can't be made of its model.
  static let ordered = fresh.filter {
    !["coredataplus-SampleModelV1-2", "coredataplus-_SampleModel2V2"].contains($0.name)
  }
}
