import Foundation
import Platform
import TestSupport
import Testing

/// Models that no migration can lead to, or that take long, as the command line meets them.
@Suite struct StrangeModelTests {
  private static let program = builtPrograms.map { $0 + "/outbox-migrate" }
  private static let settings = ["LC_ALL": "C.UTF-8", "NO_COLOR": "1"]

  private func run(_ words: String..., in folder: TemporaryDirectory) throws -> (
    status: Int32, text: String
  ) {
    try runToEnd([#require(Self.program)] + words, in: folder.path, environment: Self.settings)
  }

  private func write(_ body: String, to name: String, in folder: TemporaryDirectory) throws {
    try FileSystem.createDirectory(folder.path(name))
    try FileSystem.create(folder.path("\(name)/contents"), Array("<model>\(body)</model>".utf8))
  }

  @Test func `a model with an R-tree is shown, but nothing is migrated to it`() throws {
    let folder = try TemporaryDirectory()
    func place(_ more: String) -> String {
      "<entity name=\"Place\"><attribute name=\"x\" attributeType=\"Float\"/>\(more)</entity>"
    }
    let tree = """
      <attribute name="y" attributeType="Float" optional="YES"/><fetchIndex name="spot">
      <fetchIndexElement property="x" type="RTree"/>
      <fetchIndexElement property="y" type="RTree"/></fetchIndex>
      """
    try write(place(""), to: "V1.xcdatamodel", in: folder)
    try write(place(tree), to: "V2.xcdatamodel", in: folder)
    #expect(try run("fixture", "create", "V1.xcdatamodel", "a.store", in: folder).status == 0)
    let shown = try run("schema", "show", "V2.xcdatamodel", in: folder)
    #expect(shown.status == 0)
    #expect(shown.text.contains("the index 'spot' of 'Place' is an R-tree"))
    let planned = try run("plan", "a.store", "--to", "V2.xcdatamodel", in: folder)
    #expect(planned.status != 0)
    #expect(
      planned.text.contains(
        "the index 'Place.spot' of the new version is an R-tree, which only Core Data can make"))
    let created = try run("fixture", "create", "V2.xcdatamodel", "b.store", in: folder)
    #expect(created.status != 0)
    #expect(created.text.contains("the index 'Place.spot' is an R-tree, which can't be written"))
    #expect(try !FileSystem.exists(folder.path("b.store")))
  }

  @Test func `a model with too many inherited properties is refused`() throws {
    let folder = try TemporaryDirectory()
    try write(Self.family(attributes: 2_000, entities: 60), to: "V1.xcdatamodel", in: folder)
    let shown = try run("schema", "show", "V1.xcdatamodel", in: folder)
    #expect(shown.status == 65)
    #expect(
      shown.text.contains("has more than 100,000 properties, with those that entities inherit"))
  }

  @Test func `SIGTERM ends a command that only reads a model`() throws {
    let folder = try TemporaryDirectory()
    try write(Self.family(attributes: 9_000, entities: 1), to: "V1.xcdatamodel", in: folder)
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: try #require(Self.program))
    process.arguments = ["schema", "show", folder.path("V1.xcdatamodel")]
    process.environment = Self.settings
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.start()
    // Nobody reads the pipe, which holds less than the command prints: it waits for the signal.
    let first = try pipe.fileHandleForReading.read(upToCount: 1)
    #expect(first?.isEmpty == false)
    process.terminate()
    _ = try pipe.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == 15)
  }

  /// An entity with attributes, and entities that inherit them.
  private static func family(attributes: Int, entities: Int) -> String {
    let own = (0..<attributes).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }
    let sub = (0..<entities).map { "<entity name=\"S\($0)\" parentEntity=\"R\"/>" }
    return "<entity name=\"R\">\(own.joined())</entity>\(sub.joined())"
  }
}
