import Foundation
import SQLite
import TestSupport
import Testing

/// A model with a derived attribute, whose hash no formula gives.
@Suite struct DerivedModelTests {
  private let folder: TemporaryDirectory

  /// A model without derived attributes, the same with one, and another that differs from both.
  private let plain: String
  private let derived: String
  private let other: String

  init() throws {
    let folder = try TemporaryDirectory()
    func write(_ name: String, _ book: String, author: String) throws -> String {
      let path = folder.path("\(name).xcdatamodel")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try """
      <model><entity name="Author"><attribute name="name" attributeType="\(author)"/></entity>
      <entity name="Book"><attribute name="title" attributeType="String"/>\(book)</entity>
      <entity name="Comic" parentEntity="Book"/></model>
      """.write(toFile: path + "/contents", atomically: true, encoding: .utf8)
      return path
    }
    let sum = """
      <attribute name="pages" attributeType="Integer 64" derived="YES" derivationExpression="a.b"/>
      """
    self.folder = folder
    plain = try write("Plain", "", author: "String")
    derived = try write("Derived", sum, author: "String")
    other = try write("Other", sum, author: "Date")
  }

  private func makeStore(hasCache: Bool) throws -> String {
    let store = folder.path("default.store")
    _ = try output(of: ["fixture", "create", plain, store, "--rows", "2"])
    guard !hasCache else { return store }
    let connection = try Connection(path: store, mode: .create)
    try connection.set(.defensive, to: false)
    try connection.execute("DROP TABLE Z_MODELCACHE")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store
  }

  private func json(_ words: [String], status: Int32 = 0) throws -> [String: Any] {
    let text = try output(of: words + ["--json"], allowing: [status])
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `unknown hashes are shown as such`() throws {
    let text = try output(of: ["schema", "show", derived])
    #expect(text.contains("digest     unknown\nchecksum   unknown\n"))
    #expect(text.contains("  pages   Integer 64   derived\n"))
    #expect(
      text.components(separatedBy: "  hash unknown: 'Book.pages' is a derived attribute\n").count
        == 3)
    let shown = try json(["schema", "show", derived])
    #expect(shown["digest"] is NSNull && shown["checksum"] is NSNull)
    let hashes = try #require(shown["hashes"] as? [String: Any])
    #expect(hashes["Book"] is NSNull && hashes["Comic"] is NSNull && hashes["Author"] is String)
    let models = try #require(shown["models"] as? [[String: Any]])
    #expect(models.first?["unknown_hashes"] as? [String] == ["Book", "Comic"])
    #expect(
      models.first?["ignored"] as? [String] == [
        "\(derived)/contents:2:69: 'Book.pages' is derived: its expression is ignored, and its "
          + "entity's hash unknown"
      ])
  }

  @Test func `no store confirms unknown hashes`() throws {
    let store = try makeStore(hasCache: false)
    let text = try output(of: ["schema", "capture", derived, "--against", store])
    #expect(text.contains("  Book     unknown\n      'Book.pages' is a derived attribute\n"))
    #expect(
      text.contains(
        "Not confirmed: the store has the hashes of 1 of 3 entities. 2 hashes aren't known."))
    let shown = try json(["schema", "capture", derived, "--against", store])
    #expect(shown["confirmed"] as? Bool == false)
    let states = try #require(shown["entities"] as? [[String: Any]])
    #expect(states.map { $0["state"] as? String } == ["equal", "unknown", "unknown"])
    let models = try #require(shown["models"] as? [[String: Any]])
    #expect(models.first?["confirmed_by"] is NSNull)
    _ = try output(of: ["schema", "capture", other, "--against", store], allowing: [2])
  }

  @Test func `a file says that no store confirms it`() throws {
    let store = try makeStore(hasCache: false)
    let file = folder.path("V1.schema.json")
    let text = try output(of: ["schema", "capture", derived, "--against", store, "--out", file])
    #expect(text.contains("Not confirmed: hashes aren't known: Book, Comic.\n"))
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      written.contains("not confirmed by '\(store)', because hashes aren't known: Book, Comic"))
    let again = folder.path("V2.schema.json")
    let shown = try json(["schema", "capture", derived, "--against", store, "--out", again])
    #expect(shown["unknown"] as? [String] == ["Book", "Comic"])
  }

  @Test func `a derived attribute that the store's cache hasn't is a difference`() throws {
    let store = try makeStore(hasCache: true)
    let text = try output(of: ["schema", "capture", derived, "--against", store], allowing: [2])
    #expect(text.contains("  Book     differs\n      'Book.pages' is missing in the store\n"))
    #expect(text.contains("  Comic    differs\n      its super-entity 'Book' differs\n"))
  }
}
