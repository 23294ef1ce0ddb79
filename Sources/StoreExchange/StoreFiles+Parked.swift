package import Platform
package import StoreFormat

extension StoreFiles {
  /// The names of the files of parked values beside the store, oldest first.
  package var parkedFiles: [String] {
    get throws(SystemError) {
      try openFolder().listText()
        .filter(isParked).sorted { run(of: $0).isOlder(than: run(of: $1)) }
    }
  }

  /// Throws if a file of parked values is a symbolic link, or can't be opened.
  package func checkParkedFiles() throws(SystemError) {
    for file in try parkedFiles.map({ NestedFile(in: folder, name: $0) }) {
      try file.refuseLink()
      // A pipe or a folder is reported in a note: it has no values that would be missed.
      if try file.statusIfPresent()?.kind == .regular { _ = try file.open() }
    }
  }

  /// Returns whether a name is that of a file of parked values.
  fileprivate func isParked(_ file: String) -> Bool {
    file.hasSuffix(".jsonl") && file.hasPrefix("\(name).parked-")
  }

  /// The snapshot of the rollback that parked the values of a file.
  private func run(of parked: String) -> SnapshotFolder {
    SnapshotFolder(
      files: self, name: String(parked.dropFirst("\(name).parked-".count).dropLast(".jsonl".count)))
  }
}

extension SnapshotFolder {
  /// The name that the file of parked values has beside the store.
  package var parkedName: String { "\(files.name).parked-\(name).jsonl" }

  /// Returns the names of the files of parked values that an apply restored.
  ///
  /// Other files in that folder aren't put beside the store (j).
  package func returnedNames() throws(SystemError) -> [String] {
    guard let returned = try openIfPresent()?.directoryIfPresent(Entry.returned.rawValue) else {
      return []
    }
    return try returned.list().filter(files.isParked)
  }
}
