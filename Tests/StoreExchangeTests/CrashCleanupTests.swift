import Platform
import SQLite

import StoreFormat
import TestSupport
import Testing

@testable import StoreExchange

/// Headers that killed runs kept before they changed the store's.
@Suite struct CrashCleanupTests {
  private func cleanUp(_ path: String) throws {
    var cleanup = CrashCleanup()
    try cleanup.run(on: StoreFiles(path: path), typed: path)
  }

  @Test func `a header isn't put back over what was written since`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 30, in: folder)
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    try FileSystem.create(left.file(.header).path, try FileSystem.read(path).prefix(100) + [])
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = DELETE")
      try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.25")
      try connection.execute("CREATE TABLE later (value)")
    }
    let written = try sha256(ofFile: path)
    try cleanUp(path)
    #expect(try sha256(ofFile: path) == written)
  }

  @Test(arguments: [20, 28, 44, 60, 0])
  func `a header of another store isn't written over this one`(place: Int) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let file = try FileDescriptor(opening: path, for: .updating)
    // As after leaving WAL mode, with a counter that fits.
    try file.write([1, 1], at: 18)
    let before = try FileSystem.read(path)
    var header = Array(before.prefix(100))
    header[18] = 2
    header[19] = 2
    header[place] ^= 0x55
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    try FileSystem.create(left.file(.header).path, header)
    try cleanUp(path)
    #expect(try FileSystem.read(path) == before)
  }

  @Test func `a header behind a link isn't read`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 10, in: folder)
    let header = Array(try FileSystem.read(path).prefix(100))
    #expect(header[18] == 2)
    try FileDescriptor(opening: path, for: .updating).write([1, 1], at: 18)
    let before = try FileSystem.read(path)
    try FileSystem.create(folder.path("header"), header)
    let left = try SnapshotFolder.create(for: StoreFiles(path: path), from: "V6", to: "V7")
    try FileSystem.symbolicLink(left.file(.header).path, to: folder.path("header"))
    try cleanUp(path)
    #expect(try FileSystem.read(path) == before)
    #expect(try FileSystem.read(folder.path("header")) == header)
  }
}
