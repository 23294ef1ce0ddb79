import Processes
import Platform

/// The real stores that tests find through `OUTBOX_MIGRATE_STORES`, folders separated by colons.
package enum RealStores {
  package static let roots =
    (environment("OUTBOX_MIGRATE_STORES")
    ?? "../shared/stores:../shared/more-stores").split(separator: ":").map(String.init)

  /// The folder of each store, with its files.
  package static let folders: [(path: String, name: String, files: [String])] = {
    let folders = roots.flatMap { root in
      ((try? FileSystem.list(root)) ?? []).map { ("\(root)/\($0)", $0) }
    }
    let found = folders.map { path, name in
      (path: path, name: name, files: (try? FileSystem.list(path)) ?? [])
    }
    .filter { !$0.files.isEmpty }
    if found.isEmpty { print("skipped: there are no stores in '\(roots.joined(separator: ":"))'") }
    return found.sorted { $0.name < $1.name }
  }()

  /// The path of a store's main file; `nil`, after a printed note, if the store is missing.
  package static func path(of folder: String) -> String? {
    guard let found = folders.first(where: { $0.name == folder }),
      let main = found.files.first(where: { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
    else {
      print("skipped: there is no store '\(folder)'; set OUTBOX_MIGRATE_STORES")
      return nil
    }
    return "\(found.path)/\(main)"
  }

  /// The path of a snapshot in the chain; `nil`, after a printed note, if the store is missing.
  package static func wire(_ number: Int) -> String? {
    path(of: "wire-store2-\(number)-0")
  }
}
