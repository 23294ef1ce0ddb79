import Platform
import StoreModel
import TestSupport
import Testing

@testable import ModelSource

@Suite struct ModelBundleTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ text: String, to path: String) throws {
    let file = folder.path(path)
    var parents: [String] = []
    var parent = FileSystem.parent(of: file)
    while try !FileSystem.exists(parent) {
      parents.append(parent)
      parent = FileSystem.parent(of: parent)
    }
    for path in parents.reversed() { try FileSystem.createDirectory(path) }
    try FileSystem.create(file, Array(text.utf8))
  }

  private func version(_ name: String, entity: String = "E", in bundle: String = "App.xcdatamodeld")
    throws
  {
    try write(
      "<model userDefinedModelVersionIdentifier=\"\(name)\"><entity name=\"\(entity)\"/></model>",
      to: "\(bundle)/\(name).xcdatamodel/contents")
  }

  private func current(_ name: String) throws {
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
  }

  private func read(_ name: String) throws -> SchemaFile {
    try SchemaFile(at: #require(ModelPath(folder.path(name))))
  }

  private func versions(_ name: String) throws -> [String] {
    try #require(ModelPath(folder.path(name))).versions().map {
      $0.text.replacing(folder.path(""), with: "")
    }
  }

  @Test func `a folder of several versions has a path for each`() throws {
    try version("App#1")
    #expect(try versions("App.xcdatamodeld/") == ["App.xcdatamodeld/"])
    try version("App 2", entity: "F")
    #expect(
      try versions("App.xcdatamodeld/") == ["App.xcdatamodeld#App 2", "App.xcdatamodeld#App#1"])
    #expect(try versions("App.xcdatamodeld#2") == ["App.xcdatamodeld#2"])
    #expect(
      try versions("App.xcdatamodeld/App 2.xcdatamodel") == ["App.xcdatamodeld/App 2.xcdatamodel"])
    let paths = try #require(ModelPath(folder.path("App.xcdatamodeld"))).versions()
    #expect(try paths.map { try SchemaFile(at: $0).version } == ["App 2", "App#1"])
  }

  private func message(_ name: String) throws -> String? {
    let error = #expect(throws: ModelSourceError.self) { try read(name) }
    return error?.description.replacing(folder.path(""), with: "")
  }

  @Test func `a bundle has the version that it says is current`() throws {
    try version("App")
    #expect(try read("App.xcdatamodeld").version == "App")
    try version("App 2")
    // A folder that lost its hidden file mustn't be read as the oldest version.
    #expect(try message("App.xcdatamodeld")?.contains("which version is current") == true)
    try current("App 2.xcdatamodel")
    let schema = try read("App.xcdatamodeld/")
    #expect(schema.app == "App" && schema.version == "App 2")
    #expect(schema.model.versionIdentifiers == ["App 2"])
  }

  @Test(arguments: ["App 2", "2", "app 2", "App 2.xcdatamodel"])
  func `another version follows a sign`(name: String) throws {
    try version("App")
    try version("App 2")
    try version("App 12")
    #expect(try read("App.xcdatamodeld#\(name)").version == "App 2")
  }

  @Test func `a bundle that doesn't name its current version lists the versions`() throws {
    try version("V1")
    #expect(try read("App.xcdatamodeld").version == "V1")
    try version("V2")
    #expect(
      try message("App.xcdatamodeld")
        == "'App.xcdatamodeld' doesn't say which version is current; write "
        + "'App.xcdatamodeld#VERSION' with one of V1, V2")
    #expect(
      try message("App.xcdatamodeld#V3")
        == "'App.xcdatamodeld' has no version 'V3'; give one of V1, V2")
    try current("V9.xcdatamodel")
    #expect(
      try message("App.xcdatamodeld")
        == "App.xcdatamodeld/.xccurrentversion: error: the current version 'V9.xcdatamodel' isn't "
        + "in the folder; it has V1, V2")
  }

  @Test func `one version can be given alone`() throws {
    try version("V1")
    for path in ["V1.xcdatamodel", "V1.xcdatamodel/", "V1.xcdatamodel/contents"] {
      let schema = try read("App.xcdatamodeld/\(path)")
      #expect(schema.app == "App" && schema.version == "V1")
    }
    try write("<model/>", to: "Flat.xcdatamodel")
    #expect(try read("Flat.xcdatamodel").model.entities.isEmpty)
    #expect(
      try message("App.xcdatamodeld/V1.xcdatamodel#V2")
        == "'App.xcdatamodeld/V1.xcdatamodel' is one version; leave out '#V2'")
  }

  @Test func `what isn't a model is refused`() throws {
    try write("momv2$", to: "A.omo")
    try write("momv2$", to: "A.mom")
    try write("momv2$", to: "B.momd/A.omo")
    try write("bplist00", to: "C.mom")
    try write("", to: "D.xcdatamodel/elements")
    try write("", to: "E.xcdatamodeld/notes")
    let advice =
      "its format isn't known; use the '.mom' beside it, or the '.xcdatamodeld' that it was "
      + "compiled from"
    #expect(try message("A.omo") == "A.omo: error: \(advice)")
    #expect(try message("A.mom") == "A.mom: error: \(advice)")
    #expect(try message("B.momd") == "B.momd: error: it has only '.omo' files: \(advice)")
    #expect(try message("C.mom")?.hasPrefix("C.mom: error: not a compiled model: ") == true)
    #expect(try message("D.xcdatamodel")?.contains("there is no 'contents' in it") == true)
    #expect(
      try message("E.xcdatamodeld")
        == "E.xcdatamodeld: error: there is no '.xcdatamodel' in it")
    #expect(try message("F.momd") == "there is no model 'F.momd'; check the path")
    #expect(ModelPath(folder.path("none")) == nil && ModelPath("V6") == nil)
  }

  @Test func `models are united unless their entities differ`() throws {
    try version("V1", entity: "A")
    try version("V2", entity: "B")
    try write(
      "<model><entity name=\"A\" isAbstract=\"YES\"/></model>", to: "Other.xcdatamodel/contents")
    func unite(_ names: [String]) throws -> SchemaFile {
      let models = try names.map { try SchemaFile(at: #require(ModelPath(folder.path($0)))) }
      return try models[0].united(with: models[1], names[0], names[1])
    }
    let united = try unite(["App.xcdatamodeld#V1", "App.xcdatamodeld#V2"])
    #expect(united.model.entities.map(\.name) == ["A", "B"] && united.version == "V1+V2")
    #expect(united.model.versionIdentifiers == ["V1", "V2"])
    let error = #expect(throws: ModelSourceError.self) {
      try unite(["App.xcdatamodeld#V1", "Other.xcdatamodel"])
    }
    #expect(error?.description.contains("have different entities 'A'") == true)
  }
}
