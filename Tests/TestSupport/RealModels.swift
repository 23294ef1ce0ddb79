import Processes
import Platform

/// The models of public apps that tests find through `OUTBOX_MIGRATE_MODELS`.
package enum RealModels {
  package static let root = environment("OUTBOX_MIGRATE_MODELS") ?? "../shared/models"

  /// A model in source or compiled, and the store whose hashes it must have.
  package struct Pair: Sendable, CustomStringConvertible {
    /// The path of the model, with its version.
    package let model: String

    /// The folder of the store.
    package let store: String

    package var description: String { "\(model) and \(store)" }
  }

  /// The versions that some store is at.
  private static let versions: [(model: String, store: String)] =
    [("CareKitStore.xcdatamodeld#2.0", "carekit-SampleStore2.0")]
    + [("CareKitStore.xcdatamodeld#2.1", "carekit-SampleStore2.1")]
    + [("BookmarksModel.xcdatamodeld#BookmarksModel", "browserserviceskit-Bookmarks_V1")]
    + (2...5).map { ("BookmarksModel.xcdatamodeld#\($0)", "browserserviceskit-Bookmarks_V\($0)") }
    + [("SurfJournalModel.xcdatamodeld", "cdt-materials-SurfJournalModel")]
    + [51, 52, 66, 67, 82, 92].map { ("zmessaging.xcdatamodeld#2.\($0).0", "wire-store2-\($0)-0") }

  /// The models with their stores; empty, after a printed note, if the models are missing.
  package static let pairs: [Pair] = {
    guard isPresent else { return [] }
    return versions.filter { version in RealStores.folders.contains { $0.name == version.store } }
      .map { Pair(model: "\(root)/\($0.model)", store: $0.store) }
  }()

  /// The path of a model; `nil`, after a printed note, if the models are missing.
  package static func path(of name: String) -> String? { isPresent ? "\(root)/\(name)" : nil }

  private static let isPresent: Bool = {
    let isThere = (try? FileSystem.exists(root)) == true
    if !isThere { print("skipped: there are no models in '\(root)'; set OUTBOX_MIGRATE_MODELS") }
    return isThere
  }()
}
