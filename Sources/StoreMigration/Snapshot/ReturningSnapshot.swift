import Platform
import StoreFormat

/// A snapshot whose own file takes the store's place.
///
/// Its receipt says `returning` before the file is touched: it counts only while the store isn't that file.
/// Related: `Documentation/Durability.md`, (g).
struct ReturningSnapshot {
  let snapshot: SnapshotFolder

  /// Its receipt, done.
  let receipt: Receipt

  /// Gives the file what it needs to be the store, and brings it to the disk.
  ///
  /// That is the header that it had as one, and the present store's attributes.
  func prepare(
    _ file: borrowing FileDescriptor, like store: borrowing FileDescriptor
  ) throws(SystemError) {
    try snapshot.mark(receipt, as: .returning)
    try file.write(receipt.header, at: 0)
    try file.copyAttributes(of: store, FileAttribute.lasting)
    try file.synchronize()
  }

  /// Lets the snapshot count as before, if it was about to return and didn't.
  func keep() throws(SystemError) {
    guard try snapshot.soundReceipt()?.state == .returning else { return }
    let file = try FileDescriptor(opening: snapshot.mainFile, for: .updating)
    // In WAL mode, whoever looks at the snapshot's file would make a log beside it.
    try file.write([1, 1], at: ExclusiveStore.headerModePlace)
    try file.synchronize()
    try snapshot.mark(receipt, as: .done)
  }
}

extension SnapshotFolder {
  /// Returns whether the store at the path is the snapshot's own file.
  ///
  /// That may have lost its name in the folder.
  func hasReturned() throws(SystemError) -> Bool {
    guard let own = try FileStatus.ifPresent(at: mainFile, followingLinks: false) else {
      return true
    }
    return own.identity == (try FileStatus(of: files.path)).identity
  }

  /// Returns whether a snapshot with this receipt is one that can be gone back to.
  func isDone(_ receipt: Receipt) throws(SystemError) -> Bool {
    guard receipt.state == .returning else { return receipt.state == .done }
    return try !hasReturned()
  }
}
