import Platform

/// The real stores that tests find through `OUTBOX_MIGRATE_STORES`.
package enum RealStores {
  package static let root = environment("OUTBOX_MIGRATE_STORES") ?? "../shared/stores"

  /// The path of a snapshot in the chain; `nil`, after a printed note, if the stores are missing.
  package static func wire(_ number: Int) -> String? {
    let path = "\(root)/wire-store2-\(number)-0/store2-\(number)-0.wiredatabase"
    guard (try? FileSystem.exists(path)) == true else {
      print("skipped: there is no '\(path)'; set OUTBOX_MIGRATE_STORES")
      return nil
    }
    return path
  }
}
