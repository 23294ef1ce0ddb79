import Platform
import TestSupport
import Testing

@Suite struct NestedFileTests {
  @Test func `a file is created, copied and read`() throws {
    let folder = try TemporaryDirectory()
    try FileSystem.createDirectory(folder.path("a"))
    try FileSystem.createDirectory(folder.path("a/b"))
    let file = NestedFile(in: folder.path, folders: ["a", "b"], name: "file")
    #expect(file.path == folder.path("a/b/file"))
    #expect(try file.statusIfPresent() == nil)
    try file.create().write([1, 2])
    #expect(try file.statusIfPresent()?.mode == 0o600)
    #expect(throws: SystemError.self) { _ = try file.create() }
    let copy = NestedFile(in: folder.path, name: "copy")
    try copy.replace(withCopyOf: file)
    #expect(try copy.open().readAll(limit: 10) == [1, 2])
    try copy.refuseLink()
    try copy.checkPath()
    #expect(try NestedFile(in: folder.path("none"), name: "file").statusIfPresent() == nil)
    #expect(NestedFile(in: "/", name: "x").path == "/x")
  }

  @Test(arguments: ["a", "a/b", "a/b/file"])
  func `no link on the way is followed`(place: String) throws {
    let (folder, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    try FileSystem.createDirectory(folder.path("a"))
    try FileSystem.createDirectory(folder.path("a/b"))
    try FileSystem.create(folder.path("a/b/file"), [1])
    try FileSystem.rename(folder.path(place), to: outside.path("x"))
    try FileSystem.symbolicLink(folder.path(place), to: outside.path("x"))
    let file = NestedFile(in: folder.path, folders: ["a", "b"], name: "file")
    let other = NestedFile(in: outside.path, name: "other")
    try FileSystem.create(other.path, [2])
    for attempt in [
      #expect(throws: SystemError.self) { _ = try file.open() },
      #expect(throws: SystemError.self) { _ = try file.open(for: .updating) },
      #expect(throws: SystemError.self) { try file.refuseLink() },
    ] {
      #expect(attempt?.isSymbolicLink == true && attempt?.path == folder.path(place))
    }
    #expect(throws: SystemError.self) { _ = try file.create() }
    #expect(throws: SystemError.self) { try file.checkPath() }
    if place != "a/b/file" {
      #expect(throws: SystemError.self) { try file.replace(withCopyOf: other) }
    }
    #expect(try FileSystem.exists(outside.path("x")))
    #expect(try outside.names == ["other", "x"])
  }
}
