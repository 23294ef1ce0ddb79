import StoreExchange
import Platform
import StoreFormat
import Migrations
import StoreProof

/// The run that made a store, an apply, rollback or edit, with the snapshot of the store before.
struct Origin {
  let snapshot: SnapshotFolder
  let receipt: Receipt

  /// Returns the newest run whose receipt has this digest; `nil` if no receipt does.
  static func find(for files: StoreFiles, digest: String?) throws(SystemError) -> Origin? {
    try SnapshotFolder.done(of: files).last { $0.1.digest == digest }
      .map { Origin(snapshot: $0.0, receipt: $0.1) }
  }

  /// Whether the run wrote the outbox in deliverable form.
  ///
  /// It is `false` if the run also restored parked values, which an app may have written in another
  /// form.
  var wroteQueue: Bool {
    get throws {
      guard receipt.kind == .apply,
        try RunDetails(of: receipt, snapshot: snapshot.name).delivery != nil
      else { return false }
      return try snapshot.file(.returned).statusIfPresent() == nil
    }
  }

  /// A Boolean value indicating whether the run could have written the outbox in deliverable form.
  var couldWriteQueue: Bool {
    get throws {
      guard receipt.kind == .apply else { return false }
      return try RunDetails(of: receipt, snapshot: snapshot.name).convertsOutbox
    }
  }
}
