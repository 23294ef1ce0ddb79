import Platform
import Testing
import TestSupport

@Suite struct FileSystemTests {
  @Test func `status distinguishes files, folders, links and missing files`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("file"), [1, 2, 3], mode: 0o604)
    try FileSystem.createDirectory(directory.path("folder"), mode: 0o750)
    try FileSystem.symbolicLink(directory.path("link"), to: "file")
    try FileSystem.symbolicLink(directory.path("broken"), to: "nowhere")
    try FileSystem.link(directory.path("file"), to: directory.path("twin"))

    let file = try FileStatus(of: directory.path("file"))
    #expect(file.kind == .regular && file.size == 3 && file.linkCount == 2 && file.mode == 0o604)
    #expect(try FileStatus(of: directory.path("twin")).identity == file.identity)
    #expect(try FileStatus(of: directory.path("link")) == file)
    #expect(
      try FileStatus(of: directory.path("link"), followingLinks: false).kind == .symbolicLink)
    let folder = try FileStatus(of: directory.path("folder"))
    #expect(folder.kind == .directory && folder.mode == 0o750)
    #expect(try FileStatus(of: "/dev/null").kind == .other)
    #expect(try FileStatus.ifPresent(at: directory.path("broken")) == nil)
    #expect(try FileStatus.ifPresent(at: directory.path("file/below")) == nil)
    #expect(try FileSystem.exists(directory.path("broken")))
    #expect(try !FileSystem.exists(directory.path("nothing")))
  }

  @Test func `names are listed in the order of their bytes`() throws {
    let directory = try TemporaryDirectory()
    let names = ["B", "a", "a b", ".hidden", "é", "Z", "10", "9", "\n"]
    for name in names { try FileSystem.create(directory.path(name), []) }
    let sorted = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    #expect(try FileSystem.list(directory.path) == sorted)
    let error = #expect(throws: SystemError.self) { try FileSystem.list(directory.path("B")) }
    #expect(error?.description == "can't open the folder '\(directory.path("B"))': not a directory")
  }

  @Test func `the files below a folder are found without links, hidden and skipped ones`() throws {
    let directory = try TemporaryDirectory()
    for folder in ["a", "a/b", "a/b/c", "a.momd", ".git"] {
      try FileSystem.createDirectory(directory.path(folder), mode: 0o750)
    }
    let names = ["z", "a/2", "a/10", "a/b/1", "a/b/c/deep", "a.momd/model", ".git/config", "a/.x"]
    for name in names { try FileSystem.create(directory.path(name), []) }
    try FileSystem.symbolicLink(directory.path("a/link"), to: "../z")
    try FileSystem.symbolicLink(directory.path("a/around"), to: "..")

    func files(_ depth: Int, _ limit: Int = 100, _ skipped: [String] = []) -> [String] {
      FileSystem.files(
        below: directory.path, depth: depth, limit: limit, skippingFolders: skipped
      ).map { String($0.dropFirst(directory.path.count + 1)) }
    }
    #expect(files(0) == ["z"])
    #expect(files(2) == ["a/10", "a/2", "a/b/1", "a.momd/model", "z"])
    #expect(files(8, 100, [".momd"]) == ["a/10", "a/2", "a/b/1", "a/b/c/deep", "z"])
    #expect(files(8, 3) == ["a/10", "a/2"])
    #expect(FileSystem.files(below: directory.path("nowhere"), depth: 1).isEmpty)
  }

  @Test func `a name that isn't UTF-8 is told when listing and removed with its folder`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.createDirectory(directory.path("x"))
    let script = "touch \"$1/$(printf 'a\\377b')\" && mkdir \"$1/$(printf 'c\\377')\""
    let words = ["/bin/sh", "-c", script, "sh", directory.path("x")]
    guard try runToEnd(words, in: directory.path, environment: [:]).status == 0 else {
      print("skipped: this file system has no names that aren't UTF-8")
      return
    }
    let error = #expect(throws: SystemError.self) { try FileSystem.list(directory.path("x")) }
    #expect(error?.call == "list" && error?.isOfName == true)
    #expect(error?.path?.hasPrefix(directory.path("x") + "/") == true)
    try FileSystem.removeTree(directory.path("x"))
    #expect(try directory.names == [])
  }

  @Test func `renaming replaces, linking doesn't`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a"), [1])
    try FileSystem.create(directory.path("b"), [2])
    let error = #expect(throws: SystemError.self) {
      try FileSystem.link(directory.path("a"), to: directory.path("b"))
    }
    #expect(error?.isExisting == true)
    try FileSystem.rename(directory.path("a"), to: directory.path("b"))
    try FileSystem.synchronizeDirectory(directory.path)
    #expect(try directory.names == ["b"])
    #expect(try FileSystem.read(directory.path("b")) == [1])
    #expect(try FileSystem.removeIfPresent(directory.path("b")))
    #expect(try !FileSystem.removeIfPresent(directory.path("b")))
  }

  @Test func `replacing a file leaves no draft, even where one was left`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a.new"), [9, 9, 9])
    try FileSystem.replace(directory.path("a"), with: [1])
    try FileSystem.replace(directory.path("a"), with: [2])
    #expect(try directory.names == ["a"])
    #expect(try FileSystem.read(directory.path("a")) == [2])
  }

  @Test func `a tree is removed and what its links lead to is not`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.createDirectory(directory.path("kept"))
    try FileSystem.create(directory.path("kept/file"), [1])
    var folder = directory.path("tree")
    for _ in 0..<20 {
      try FileSystem.createDirectory(folder)
      try FileSystem.create(folder + "/file", [])
      try FileSystem.symbolicLink(folder + "/link", to: directory.path("kept"))
      folder += "/folder"
    }
    try FileSystem.removeTree(directory.path("tree"))
    #expect(try directory.names == ["kept"])
    try FileSystem.symbolicLink(directory.path("link"), to: "kept")
    try FileSystem.removeTree(directory.path("link"))
    #expect(try FileSystem.list(directory.path("kept")) == ["file"])
    let error = #expect(throws: SystemError.self) {
      try FileSystem.removeTree(directory.path("tree"))
    }
    #expect(error?.isNotFound == true)
  }

  @Test func `a copy is a file of its own`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a"), [1, 2, 3], mode: 0o644)
    try FileSystem.copy(directory.path("a"), to: directory.path("b"))
    let (a, b) = (try FileStatus(of: directory.path("a")), try FileStatus(of: directory.path("b")))
    #expect(a.identity != b.identity && b.mode == 0o600 && b.linkCount == 1)
    #expect(try FileSystem.read(directory.path("b")) == [1, 2, 3])
    let error = #expect(throws: SystemError.self) {
      try FileSystem.copy(directory.path("a"), to: directory.path("b"))
    }
    #expect(error?.isExisting == true)
    #expect(try FileSystem.read(directory.path("b")) == [1, 2, 3])
  }

  @Test(arguments: [
    ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b/", "a", "b"), ("/", "/", ""),
    ("//a", "/", "a"), ("a//b", "a", "b"), ("./é", ".", "é"), ("../a", "..", "a"),
  ])
  func `a path has a folder and a name`(path: String, folder: String, name: String) {
    #expect(FileSystem.parent(of: path) == folder)
    #expect(FileSystem.name(of: path) == name)
  }

  @Test func `a path with a NUL is no path`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a"), [1])
    let error = #expect(throws: SystemError.self) {
      try FileSystem.remove(directory.path("a\u{0}b"))
    }
    #expect(error?.call == "remove")
    #expect(throws: SystemError.self) {
      try FileSystem.rename(directory.path("a"), to: directory.path("c\u{0}"))
    }
    #expect(try directory.names == ["a"])
  }

  @Test func `a path is resolved through links`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a"), [])
    try FileSystem.symbolicLink(directory.path("link"), to: "./a")
    #expect(try FileSystem.resolve(directory.path("link")) == directory.path("a"))
    #expect(try FileSystem.resolve(directory.path + "//./a") == directory.path("a"))
  }

  @Test func `a temporary folder is for this user only, and there is room`() throws {
    let directory = try TemporaryDirectory()
    #expect(try FileStatus(of: directory.path).mode == 0o700)
    #expect(try FileSystem.freeBytes(at: directory.path) > 0)
  }
}
