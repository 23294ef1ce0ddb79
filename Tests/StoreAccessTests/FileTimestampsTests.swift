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
    #expect(!FileTimestamps(of: files).areQuiet)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
    #expect(FileTimestamps(of: files).areQuiet)
    try FileSystem.create(files.wal, [])
    #expect(!FileTimestamps(of: files).areQuiet)
  }
}
