import Foundation
import Platform
import Testing
import TestSupport

@Suite struct FileDescriptorTests {
  @Test func `a file reads as it was written, at any offset`() throws {
    let directory = try TemporaryDirectory()
    var random = SeededGenerator(printing: "offsets")
    let file = try FileDescriptor(creating: directory.path("a"))
    var expected: [UInt8] = []
    for _ in 0..<100 {
      let (bytes, offset) = (random.bytes(upTo: 3000), Int.random(in: 0...9000, using: &random))
      try file.write(bytes, at: Int64(offset))
      // The reference: an array that grows with zeros.
      if bytes.isEmpty { continue }
      let end = offset + bytes.count
      if expected.count < end { expected += Array(repeating: 0, count: end - expected.count) }
      expected.replaceSubrange(offset..<end, with: bytes)
    }
    #expect(try file.readAll() == expected)
    #expect(try file.status().size == Int64(expected.count))
    let start = expected.count / 2
    #expect(try file.read(100, at: Int64(start)) == Array(expected[start...].prefix(100)))
    #expect(try file.read(100, at: Int64(expected.count) + 5) == [])
    try file.truncate(to: 10)
    #expect(try file.readAll() == Array(expected.prefix(10)))
    try file.synchronize()
    try file.close()
  }

  @Test func `a pipe isn't waited for, and not read`() throws {
    let directory = try TemporaryDirectory()
    try #require(mkfifo(directory.path("pipe"), 0o600) == 0)
    for access in [FileDescriptor.Access.reading, .updating] {
      let pipe = try FileDescriptor(opening: directory.path("pipe"), for: access)
      #expect(throws: SystemError.self) { try pipe.readAll() }
    }
  }

  @Test func `writes without an offset follow each other`() throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor(creating: directory.path("a"))
    try file.write([1, 2])
    try file.write([3].span)
    #expect(try file.readAll() == [1, 2, 3])
  }

  @Test func `a file that is longer than expected is refused`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a")
    try FileSystem.create(path, Array(repeating: 7, count: 100_000))
    #expect(try FileSystem.read(path, limit: 100_000).count == 100_000)
    let error = #expect(throws: SystemError.self) { try FileSystem.read(path, limit: 99_999) }
    #expect(error?.description == "can't read '\(path)': file too large")
  }

  @Test func `a file that exists isn't created`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a")
    try FileSystem.symbolicLink(path, to: "nowhere")
    let error = #expect(throws: SystemError.self) { _ = try FileDescriptor(creating: path) }
    #expect(error?.isExisting == true)
    #expect(error?.description == "can't create '\(path)': file exists")
    #expect(try directory.names == ["a"])
  }

  @Test func `a symbolic link isn't followed where that is said`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a"), [7])
    try FileSystem.symbolicLink(directory.path("link"), to: "a")
    #expect(try FileDescriptor(opening: directory.path("link")).readAll() == [7])
    let error = #expect(throws: SystemError.self) {
      _ = try FileDescriptor(opening: directory.path("link"), followingLinks: false)
    }
    #expect(error?.isSymbolicLink == true)
  }

  @Test(arguments: [0o600, 0o644, 0o666] as [UInt32])
  func `a new file has the permissions asked for`(mode: UInt32) throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor(creating: directory.path("a"), mode: mode)
    #expect(try file.status().mode == mode)
  }

  @Test func `a file opened for reading can't be written`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a"), [])
    let file = try FileDescriptor(opening: directory.path("a"))
    let error = #expect(throws: SystemError.self) { try file.write([1]) }
    #expect(error?.description == "can't write '\(directory.path("a"))': bad file descriptor")
  }

  @Test func `a copy has the bytes and the attributes of the original`() throws {
    let directory = try TemporaryDirectory()
    var random = SeededGenerator(printing: "copy")
    for count in [0, 1, 300_000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
      let source = try FileDescriptor(creating: directory.path("a\(count)"), mode: 0o640)
      try source.write(bytes)
      let copy = try FileDescriptor(creating: directory.path("b\(count)"))
      try copy.write(Array(repeating: 1, count: 400_000))
      try copy.copyContents(of: source)
      #expect(try copy.readAll() == bytes)
      let hasAttributes = (try? source.setExtendedAttribute(named: "user.a", to: [1, 0])) != nil
      #expect(try copy.copyAttributes(of: source) == [])
      let (old, new) = (try source.status(), try copy.status())
      #expect(new.mode == 0o640)
      #expect(new.modified == old.modified && new.owner == old.owner && new.group == old.group)
      if hasAttributes {
        let value = copy.extendedAttribute(named: "user.a")
        #expect(value == [1, 0])
      }
    }
  }
}
