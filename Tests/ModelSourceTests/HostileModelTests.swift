import Foundation
import Platform
import StoreModel
import TestSupport
import Testing

@testable import ModelSource

/// Models that someone made to do harm: each ends in a sentence, soon.
@Suite struct HostileModelTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
  private static let entity =
    #"<entity name="A"><attribute name="a" attributeType="String"/></entity>"#

  private func message(_ name: String) throws -> String? {
    let error = #expect(throws: ModelSourceError.self) {
      try SchemaFile(at: #require(ModelPath(folder.path(name))))
    }
    return error?.description.replacing(folder.path(""), with: "")
  }

  private static let documents: [(text: String, message: String)] = [
    (
      head + "<!DOCTYPE m [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]><model>&b;</model>",
      "1:51: error: a document type declaration isn't allowed; remove it"
    ),
    (
      head + "<!DOCTYPE m [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><model>&x;</model>",
      "1:51: error: a document type declaration isn't allowed; remove it"
    ),
    (
      head + "<!DOCTYPE m SYSTEM \"http://127.0.0.1:9/m.dtd\"><model/>",
      "1:84: error: a document type declaration isn't allowed; remove it"
    ),
    (
      head + String(repeating: "<model>", count: 70),
      "1:487: error: nested too deeply; the limit is 64 levels"
    ),
    (
      head + "<model>" + String(repeating: "<x/>", count: 200_001),
      "1:800042: error: the text has more than 200000 elements"
    ),
    (
      head + "<model>" + String(repeating: " ", count: 8 << 20), "error: it is larger than 8 MiB"
    ),
    (
      head + "<model><entity name=\"" + String(repeating: "n", count: 7_000_000) + "\"/></model>",
      "1:46: error: a name has more than 1000 bytes"
    ),
    (
      head + "<model>\(entity)</model>\0",
      "1:124: error: the text isn't XML: not well-formed (invalid token)"
    ),
    (
      head + "\n<model><entity name=\"\0\"/></model>",
      "2:22: error: the text isn't XML: not well-formed (invalid token)"
    ),
    (
      "<?xml version='1.0' encoding='ISO-8859-1'?><model><entity name=\"É\"/></model>",
      "1:1: error: the declared encoding is 'ISO-8859-1'; save the text as UTF-8"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><model>\(entity)</model>",
      "1:1: error: the declared encoding is 'UTF-7'; save the text as UTF-8"
    ),
    (head + "<plist/>", "1:39: error: expected the element 'model', not 'plist'"),
    (head + "<model><entity name=\"A\" name=\"B\"/></model>", ": error: the text isn't XML: "),
    (
      head + "<model>\(entity)\(entity)</model>",
      "1:116: error: duplicate entity 'A'; remove one"
    ),
    (
      head
        + "<model><entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/></model>",
      "1:46: error: 'A' inherits from itself; remove the cycle"
    ),
    (String((head + "<model>\(entity)").prefix(80)), ": error: the text isn't XML: "),
    ("", "1:1: error: the text is"),
  ]

  @Test(arguments: documents.indices)
  func `hostile XML ends in a sentence`(index: Int) throws {
    let (text, expected) = Self.documents[index]
    try FileSystem.createDirectory(folder.path("M.xcdatamodel"))
    try FileSystem.create(folder.path("M.xcdatamodel/contents"), Array(text.utf8))
    let message = try #require(try message("M.xcdatamodel"))
    #expect(message.contains(expected))
    #expect(message.utf8.count < 300)
  }

  @Test func `a mark of the byte order is allowed, and other bytes than UTF-8 aren't`() throws {
    let text = Self.head + "<model>\(Self.entity)</model>"
    try FileSystem.create(folder.path("mark"), Array("\u{FEFF}\(text)".utf8))
    let path = try #require(ModelPath(folder.path("mark")))
    #expect(try SchemaFile(at: path).model.entities.map(\.name) == ["A"])
    try FileSystem.createDirectory(folder.path("M.xcdatamodel"))
    let wide = try #require(text.data(using: .utf16))
    try FileSystem.create(folder.path("M.xcdatamodel/contents"), Array(wide))
    #expect(try message("M.xcdatamodel")?.contains("the bytes are not UTF-8") == true)
  }

  @Test func `links that lead to themselves end`() throws {
    for name in ["A.momd", "A.mom", "A.xcdatamodel"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: name)
      #expect(try message(name)?.contains("too many levels of symbolic links") == true)
    }
    try FileSystem.createDirectory(folder.path("B.xcdatamodeld"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("B.xcdatamodeld/V.xcdatamodel"),
      withDestinationPath: "../B.xcdatamodeld")
    #expect(try message("B.xcdatamodeld")?.contains("there is no 'contents' in it") == true)
  }

  @Test func `a compiled model that is cut, or whose list is missing or strange, is refused`()
    throws
  {
    guard let original = RealModels.path(of: "SampleModel.momd") else { return }
    let list = "VersionInfo.plist"
    let bytes = try FileSystem.read("\(original)/SampleModel.mom", limit: 1 << 20)
    func bundle(_ name: String, model: [UInt8], _ list: [UInt8]?) throws {
      try FileSystem.createDirectory(folder.path(name))
      try FileSystem.create(folder.path("\(name)/SampleModel.mom"), model)
      try FileSystem.create(folder.path("\(name)/Second.mom"), model)
      if let list { try FileSystem.create(folder.path("\(name)/VersionInfo.plist"), list) }
    }
    let versions = try FileSystem.read("\(original)/\(list)", limit: 1 << 20)
    for length in stride(from: 0, to: bytes.count, by: 97) {
      let name = "Cut\(length).momd"
      try bundle(name, model: Array(bytes.prefix(length)), versions)
      #expect(try message("\(name)#SampleModel")?.contains("not a compiled model: ") == true)
    }
    try bundle("None.momd", model: bytes, nil)
    #expect(try message("None.momd")?.contains("doesn't say which version is current") == true)
    let outside = """
      <plist version="1.0"><dict><key>NSManagedObjectModel_CurrentVersionName</key>
      <string>../Cut0.momd/SampleModel</string></dict></plist>
      """
    try bundle("Outside.momd", model: bytes, Array(outside.utf8))
    #expect(
      try message("Outside.momd")
        == "Outside.momd/VersionInfo.plist: error: the current version '../Cut0.momd/SampleModel' "
        + "isn't in the folder; it has SampleModel, Second")
    try bundle("List.momd", model: bytes, Array("<plist version=\"1.0\"><array/></plist>".utf8))
    #expect(try message("List.momd")?.contains("CurrentVersionName' is missing") == true)
    try bundle("Text.momd", model: bytes, Array("<plist><dict><key>".utf8))
    #expect(try message("Text.momd")?.contains("it isn't a property list") == true)
  }
}
