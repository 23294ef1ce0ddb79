import Platform

/// The first 100 bytes of a store from before its journal mode was changed (c).
struct SettledHeader {
  var header: [UInt8] = []
  var isChanged = false

  /// Writes the header back if it was changed, and syncs the file.
  func restore(_ file: borrowing FileDescriptor) throws {
    guard isChanged else { return }
    try file.write(header, at: 0)
    try file.synchronize()
  }
}
