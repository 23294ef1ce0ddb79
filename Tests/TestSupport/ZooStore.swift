import Platform
package import PropertyList
import SQLite
import StoreFixtures
import StoreFormat
package import StoreModel

/// A store of an unknown app, with every kind of object that `verify` checks.
package struct ZooStore {
  package let folder: TemporaryDirectory

  package var path: String { folder.path("default.store") }

  package init() throws {
    folder = try TemporaryDirectory()
    try createFixture(
      app: "zoo", version: "1", model: Self.model, at: path, options: FixtureOptions(rows: 60))
    try addLog()
  }

  /// Runs statements that an app would never run.
  package func damage(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
  }

  /// Rewrites the property list of the metadata.
  package func editMetadata(_ edit: (inout [String: PropertyList]) -> Void) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    let bytes = try connection.value("SELECT Z_PLIST FROM Z_METADATA")?.bytes ?? []
    var values = try PropertyList(binary: bytes).dictionaryValue ?? [:]
    edit(&values)
    let plist = PropertyList.dictionary(values).binary()
    try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?1", [.blob(plist)])
  }

  /// Puts another model into the cache.
  package func setCache(_ model: Model) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = ?1", [.blob(try ModelCache.encode(model))])
  }

  /// Adds the empty log that Apple's systems leave, if a statement has removed it.
  package func addLog() throws {
    let log = StoreFiles(path: path).wal
    if try !FileSystem.exists(log) { _ = try FileDescriptor(creating: log) }
  }
}

extension ZooStore {
  /// Animal 1, Cat 2, Dog 3, Chip 4, Photo 5, Tag 6, Toy 7.
  package static let model = model(lives: .integer16)

  package static func model(lives: AttributeType) -> Model {
    Model(
      entities: animals(lives: lives) + [
        Entity(
          name: "Chip",
          properties: [
            .attribute(Attribute(name: "number", type: .integer64)),
            .relationship(Relationship(name: "cat", destinationName: "Cat", inverseName: "chip")),
            .relationship(Relationship(name: "spares", destinationName: "Toy", maxCount: 0)),
          ], uniquenessConstraints: [["number"]]),
        Entity(
          name: "Photo",
          properties: [
            .attribute(
              Attribute(name: "large", type: .binary, isOptional: true, allowsExternalStorage: true)
            ),
            .relationship(Relationship(name: "subject", destinationName: "Animal")),
          ]),
        Entity(
          name: "Tag",
          properties: [
            .relationship(
              Relationship(name: "toys", destinationName: "Toy", inverseName: "tags", maxCount: 0))
          ]),
        Entity(
          name: "Toy",
          properties: [
            .attribute(Attribute(name: "kind", type: .string, isOptional: true)),
            .relationship(
              Relationship(name: "tags", destinationName: "Tag", inverseName: "toys", maxCount: 0)),
          ],
          indexes: [
            FetchIndex(name: "byKind", elements: [FetchIndex.Element(propertyName: "kind")])
          ]),
      ], versionIdentifiers: ["1.0.0"])
  }

  private static func animals(lives: AttributeType) -> [Entity] {
    [
      Entity(
        name: "Animal", isAbstract: true,
        properties: [.attribute(Attribute(name: "name", type: .string))]),
      Entity(
        name: "Cat", superentityName: "Animal",
        properties: [
          .attribute(Attribute(name: "lives", type: lives)),
          .relationship(Relationship(name: "chip", destinationName: "Chip", inverseName: "cat")),
        ]),
      Entity(name: "Dog", superentityName: "Animal"),
    ]
  }
}
