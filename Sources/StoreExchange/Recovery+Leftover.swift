extension Recovery {
  /// Something that a killed run left.
  package enum Leftover: Hashable, CustomStringConvertible {
    /// The exchange didn't happen: the folder can be removed.
    case unfinished(SnapshotFolder, header: [UInt8]?)

    /// The exchange happened, but the receipt doesn't say so yet.
    case exchanged(SnapshotFolder, Receipt)

    /// The receipt says done, but files that only the run needed are still there (f.7).
    case finished(SnapshotFolder)

    /// A snapshot was being removed: the rest of the folder can be removed (i).
    case halfRemoved(SnapshotFolder)

    /// A snapshot was about to be removed, but its receipt doesn't say so yet: it is kept.
    case kept(SnapshotFolder)

    /// A snapshot's file was about to become the store, but didn't: it is kept (g).
    case notReturned(SnapshotFolder, Receipt)

    /// The receipt can't be read: the folder is left unchanged.
    case unreadable(SnapshotFolder)

    /// The folder has an old store, and the exchange may have happened: it is left unchanged.
    case unclear(SnapshotFolder)

    /// A rollback was restoring a value of the external data; the name is that of its draft (g).
    case draftOfValue(String)

    var isExchanged: Bool {
      if case .exchanged = self { true } else { false }
    }

    /// The snapshot that is removed because an exchange made the store equal to it; else `nil`.
    var obsoleteSnapshot: String? {
      guard case .exchanged(_, let receipt) = self, receipt.isUndoneObsolete else { return nil }
      return receipt.undone
    }

    /// Whether no run changes it.
    var isLeftUnchanged: Bool {
      switch self {
      case .unreadable, .unclear: true
      case .unfinished, .exchanged, .finished, .halfRemoved, .kept, .notReturned, .draftOfValue:
        false
      }
    }

    /// The snapshot's folder; `nil` if the leftover is elsewhere.
    var folder: SnapshotFolder? {
      switch self {
      case .unfinished(let folder, _), .exchanged(let folder, _), .notReturned(let folder, _),
        .finished(let folder), .halfRemoved(let folder), .kept(let folder),
        .unreadable(let folder), .unclear(let folder):
        folder
      case .draftOfValue: nil
      }
    }

    package var description: String {
      switch self {
      case .unfinished(let folder, _):
        "an interrupted run left '\(folder.name)'; the store is unchanged"
      case .exchanged(let folder, _):
        "an interrupted run had already replaced the store; '\(folder.name)' is its snapshot"
      case .finished(let folder):
        "an interrupted run left files in '\(folder.name)' that it no longer needed"
      case .halfRemoved(let folder):
        "an interrupted run was removing '\(folder.name)'"
      case .kept(let folder), .notReturned(let folder, _):
        "an interrupted run was about to discard '\(folder.name)'; it is kept"
      case .unclear(let folder):
        "it is unknown whether '\(folder.name)' is a snapshot of this store; it is left unchanged; "
          + folder.howToRemove
      case .unreadable(let folder):
        "the receipt of '\(folder.name)' can't be read; the snapshot isn't used, and is left unchanged; "
          + folder.howToRemove
      case .draftOfValue(let name):
        "an interrupted rollback left a part of a value, '\(name)', in the external data"
      }
    }
  }
}

extension SnapshotFolder {
  /// What to do about a folder that no run removes, in words.
  fileprivate var howToRemove: String {
    "'snapshot prune --snapshot \(name) --force' removes it"
  }
}
