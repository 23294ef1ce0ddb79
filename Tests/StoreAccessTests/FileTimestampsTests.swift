import Foundation
import Platform
import StoreAccess
import StoreFormat
import TestSupport
import Testing

@Suite struct FileTimestampsTests {
  @Test func `a store isn't quiet if its time stamps may not show the next write`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let files = try StoreFiles(resolving: path)
    #expect(try !FileTimestamps(of: files).areQuiet)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
    #expect(try FileTimestamps(of: files).areQuiet)
    try FileSystem.create(files.wal, [])
    #expect(try !FileTimestamps(of: files).areQuiet)
  }

  /// A link that leads to itself stands for whatever has a status that can't be read.
  @Test func `a status that can't be read is an error, not a file that changed`() throws {
    let folder = try TemporaryDirectory()
    let files = try StoreFiles(resolving: try makeStore("V6", in: folder))
    try FileSystem.removeIfPresent(files.wal)
    try FileSystem.symbolicLink(files.wal, to: files.wal)
    #expect {
      try FileTimestamps(of: files)
    } throws: { error in
      guard case .unreadable(let cause)? = error as? StoreAccessError else { return false }
      return cause.path == files.wal
    }
  }
}
