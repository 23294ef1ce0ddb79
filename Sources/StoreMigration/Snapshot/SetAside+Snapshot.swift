import StoreExchange
import StoreProof

extension SetAside {
  /// The files of a snapshot that list the rows which aren't in the new outbox.
  init(_ snapshot: SnapshotFolder) {
    self.init(fates: snapshot.file(.setAside), quarantine: snapshot.file(.quarantine))
  }
}
