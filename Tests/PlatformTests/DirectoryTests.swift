import Platform
import TestSupport
import Testing

@Suite struct DirectoryTests {
  /// A folder with a file, a folder with a file in it, and a link to each.
  private func prepare() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try FileSystem.create(folder.path("file"), [1, 2, 3])
    try FileSystem.createDirectory(folder.path("below"))
    try FileSystem.create(folder.path("below/inner"), [4])
    try FileSystem.symbolicLink(folder.path("to-file"), to: "file")
    try FileSystem.symbolicLink(folder.path("to-folder"), to: "below")
    return folder
  }

  @Test func `links are named and not followed`() throws {
    let folder = try prepare()
    let directory = try Directory(opening: folder.path)
    for attempt in [
      #expect(throws: SystemError.self) { _ = try directory.open("to-file") },
      #expect(throws: SystemError.self) { _ = try directory.open("to-file", for: .updating) },
      #expect(throws: SystemError.self) { _ = try directory.directory("to-folder") },
      #expect(throws: SystemError.self) { _ = try directory.directoryIfPresent("to-folder") },
    ] {
      #expect(attempt?.isSymbolicLink == true)
      #expect(attempt?.description.contains("is a symbolic link, which isn't followed") == true)
    }
    #expect(throws: SystemError.self) { _ = try Directory(opening: folder.path("to-folder")) }
    #expect(try directory.status(of: "to-file").kind == .symbolicLink)
    try directory.removeTree("to-folder")
    try directory.link("to-file", to: "twin", in: directory)
    #expect(try directory.status(of: "twin").kind == .symbolicLink)
    #expect(try directory.list() == ["below", "file", "to-file", "twin"])
    #expect(try directory.directory("below").list() == ["inner"])
  }

  @Test(arguments: ["", ".", "..", "below/inner", "../x", "/etc/passwd", "a\0b"])
  func `a name is one component`(name: String) throws {
    let folder = try prepare()
    let directory = try Directory(opening: folder.path)
    for attempt in [
      #expect(throws: SystemError.self) { _ = try directory.open(name) },
      #expect(throws: SystemError.self) { _ = try directory.create(name) },
      #expect(throws: SystemError.self) { _ = try directory.directory(name) },
      #expect(throws: SystemError.self) { try directory.createDirectory(name) },
      #expect(throws: SystemError.self) { try directory.remove(name) },
      #expect(throws: SystemError.self) { try directory.removeTree(name) },
      #expect(throws: SystemError.self) { try directory.rename("file", to: name, in: directory) },
      #expect(throws: SystemError.self) { try directory.link("file", to: name, in: directory) },
      #expect(throws: SystemError.self) { _ = try directory.statusIfPresent(of: name) },
    ] {
      #expect(attempt?.call == "use the name")
    }
    #expect(try folder.names == ["below", "file", "to-file", "to-folder"])
  }

  @Test func `a descriptor stays with its folder`() throws {
    let folder = try prepare()
    let directory = try Directory(opening: folder.path("below"))
    try FileSystem.rename(folder.path("below"), to: folder.path("moved"))
    try FileSystem.symbolicLink(folder.path("below"), to: "/")
    try directory.replace("inner", with: [5, 6])
    try directory.createDirectory("new", mode: 0o750)
    #expect(try FileSystem.list(folder.path("moved")) == ["inner", "new"])
    #expect(try FileSystem.read(folder.path("moved/inner")) == [5, 6])
    #expect(try FileStatus(of: folder.path("moved/new")).mode == 0o750)
  }

  @Test func `files are replaced, renamed and copied between folders`() throws {
    let folder = try prepare()
    let directory = try Directory(opening: folder.path)
    let below = try directory.directory("below")
    try below.replace("copy", withCopyOf: directory.open("file"))
    #expect(try FileSystem.read(folder.path("below/copy")) == [1, 2, 3])
    try below.rename("copy", to: "file", in: directory)
    #expect(try below.list() == ["inner"])
    #expect(try directory.removeIfPresent("file"))
    #expect(try !directory.removeIfPresent("file"))
    #expect(try !directory.has("file"))
    try directory.removeTree("below")
    #expect(try directory.list() == ["to-file", "to-folder"])
  }
}
