package import Platform
package import StoreFormat

/// The numbers of external data files that were added, changed and removed.
package struct FileChanges: Hashable, Sendable {
  /// The number of new files.
  package internal(set) var added: Int64 = 0

  /// The number of files whose bytes changed.
  package internal(set) var changed: Int64 = 0

  /// The number of files that no longer exist.
  package internal(set) var removed: Int64 = 0

  /// Whether no file changed.
  package var isEmpty: Bool { added + changed + removed == 0 }
}

extension Receipt {
  /// Counts the external data files that changed since the run.
  package func fileChanges(_ files: StoreFiles) throws(SystemError) -> FileChanges {
    let kept = after.external
    var changes = FileChanges()
    guard let folder = try files.openExternalData() else {
      changes.removed = Int64(kept.count)
      return changes
    }
    let present = try folder.list().filter { !StoreFiles.isDraftOfValue($0) }
    for name in present {
      guard let hash = kept[name] else {
        changes.added += 1
        continue
      }
      let isSame = try folder.isFile(name) ? folder.open(name).matches(hash) : false
      if !isSame { changes.changed += 1 }
    }
    changes.removed = Int64(Set(kept.keys).subtracting(present).count)
    return changes
  }
}
