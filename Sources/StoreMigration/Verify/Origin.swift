import StoreExchange
import Platform
import StoreFormat
import OutboxConversion
import StoreProof

/// The run that left a store: an apply or a rollback, with the snapshot of what it was before.
struct Origin {
  let snapshot: SnapshotFolder
  let receipt: Receipt

  /// The newest run that left a store of a model's hashes; none where there is no receipt of one.
  static func find(for files: StoreFiles, digest: String?) throws(SystemError) -> Origin? {
    try SnapshotFolder.done(of: files).last { $0.1.digest == digest }
      .map { Origin(snapshot: $0.0, receipt: $0.1) }
  }

  /// A Boolean value indicating whether the run wrote the outbox as the app sends it.
  ///
  /// False if it put back rows that an app had written otherwise.
  var wroteQueue: Bool {
    get throws {
      guard receipt.kind == .apply,
        try RunDetails(of: receipt, snapshot: snapshot.name).delivery != nil
      else { return false }
      return try snapshot.file(.returned).statusIfPresent() == nil
    }
  }

  /// The files of large values that aren't what the run left.
  func fileChanges(_ files: StoreFiles) throws(SystemError) -> FileChanges {
    let kept = receipt.after.external
    var changes = FileChanges()
    guard let folder = try files.openExternalData() else {
      changes.removed = Int64(kept.count)
      return changes
    }
    let present = try folder.list()
    for name in present {
      guard let hash = kept[name] else {
        changes.added += 1
        continue
      }
      if Hexadecimal.encode(try folder.open(name).sha256()) != hash { changes.changed += 1 }
    }
    changes.removed = Int64(Set(kept.keys).subtracting(present).count)
    return changes
  }
}
