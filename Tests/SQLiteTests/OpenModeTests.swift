import Testing

@testable import SQLite

@Suite struct OpenModeTests {
  @Test func `every byte of a path has its place in a URI`() {
    for byte in UInt8.min...UInt8.max {
      let text = percentEncoded([byte])
      let isPlain = text.utf8.elementsEqual([byte])
      #expect(isPlain || text.count == 3)
      #expect(decoded(text) == [byte])
    }
    #expect(percentEncoded(Array("a b?#%'\"\n".utf8)) == "a%20b%3F%23%25%27%22%0A")
    // Bytes that aren't UTF-8 are encoded, too.
    #expect(percentEncoded([0xff, 0xc3, 0x28]) == "%FF%C3%28")
  }

  @Test(arguments: [
    (OpenMode.readOnly, "/a/b", "file:///a/b?mode=ro"),
    (.readWrite, "b", "file:./b?mode=rw"),
    (.readWriteAlone, "b", "file:./b?mode=rw&alone=1"),
    (.create, "//a", "file:////a?mode=rwc"),
    (.immutable, "/a", "file:///a?mode=ro&immutable=1"),
    (.memory, "/a", ":memory:"),
  ])
  func `a mode is said in the URI`(mode: OpenMode, path: String, uri: String) {
    let none = Companions(hasWAL: false, hasJournal: false)
    #expect(mode.fileName(for: Array(path.utf8), beside: none) == uri)
  }

  @Test(arguments: [
    (false, false, false, "&immutable=1"), (true, false, false, ""), (false, true, false, ""),
    (true, true, false, ""), (true, true, true, "&immutable=1"),
  ])
  func `a file alone, or an empty one, is read as one that can't change`(
    hasWAL: Bool, hasJournal: Bool, isEmpty: Bool, ending: String
  ) {
    let companions = Companions(hasWAL: hasWAL, hasJournal: hasJournal, isMainEmpty: isEmpty)
    let uri = OpenMode.readOnlyUnshared.fileName(for: Array("/a".utf8), beside: companions)
    #expect(uri == "file:///a?mode=ro&vfs=whole-none" + ending)
  }

  /// The reference decoder: `%XX` is a byte, and any other character is itself.
  private func decoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "%") {
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(first)
      }
    }
    return bytes
  }
}
