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

  /// The fresh stores whose order of statements is known.
  ///
  /// An order of several join tables of one entity follows no known rule, nor does that of equal
  /// fetch indexes. Migrations moved the tables of the Core Data Plus stores.
  static let ordered = fresh.filter { store in
    ![
      "browserserviceskit-Bookmarks_V4", "browserserviceskit-Bookmarks_V5", "carekit-",
      "coredataplus-",
    ]
    .contains { store.name.hasPrefix($0) }
  }
}
