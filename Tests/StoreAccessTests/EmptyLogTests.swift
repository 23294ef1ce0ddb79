import Platform
import StoreAccess
import StoreFormat
import TestSupport
import Testing

@Suite struct EmptyLogTests {
  @Test(arguments: [UInt32(0o600), 0o640, 0o444, 0o644])
  func `reading a store leaves the permissions of an empty log`(mode: UInt32) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", in: folder)
    let files = try StoreFiles(resolving: path)
    try FileSystem.setPermissions(path, 0o664)
    try FileSystem.create(files.wal, [])
    try FileSystem.setPermissions(files.wal, mode)
    let before = try FileStatus(of: files.wal)
    _ = try OpenedStore.open(files, typed: path).holders
    let after = try FileStatus(of: files.wal)
    #expect(after.mode == mode)
    #expect(after.size == 0 && after.modified == before.modified)
    #expect(try FileStatus(of: path).mode == 0o664)
  }
}
