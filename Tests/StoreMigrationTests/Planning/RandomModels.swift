import Migrations
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport

/// Random small models, and models that a next version of their app could have.
struct RandomModels {
  private var random: SeededGenerator
  private var dialect = ModelDialect.swiftData

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a model and one that follows it.
  mutating func pair() -> (old: Model, new: Model) {
    dialect = chance(3) ? .coreData : .swiftData
    var entities: [Entity] = []
    for name in ["Ape", "Bee", "Cat", "Dog"].prefix(Int(random.number(3)) + 2) {
      entities.append(entity(name, below: entities.first { _ in chance(4) }))
    }
    for place in entities.indices where chance(3) {
      let name = entities[place].name
      entities[place].isAbstract = entities.contains { $0.superentityName == name }
    }
    let followers = entities.indices.compactMap { place in
      chance(12) && place > 0 && !entities.contains { $0.superentityName == entities[place].name }
        ? nil : changed(entities[place])
    }
    let kept = Set(followers.map(\.name))
    let added = chance(4) ? [entity(chance(2) ? "Ant" : "Yak", below: nil)] : []
    let next = (followers + added).filter { $0.superentityName.map(kept.contains) ?? true }
    let links = RandomLinks(among: entities.map(\.name), &random)
    let later = links.followers(among: next.map(\.name), &random)
    let renaming = RandomRenaming(of: next.map(\.name), &random)
    return (
      Self.model(entities.map(links.added(to:)), version: "1.0.0", dialect),
      Self.model(
        next.map(later.added(to:)).map { renaming.renamed($0) }, version: "2.0.0", dialect)
    )
  }

  /// Creates a store of a random model; returns its path, the model and a next version's schema.
  mutating func store(
    isMirrored: Bool = false, in folder: TemporaryDirectory
  ) throws -> (path: String, model: Model, next: SchemaFile) {
    let (old, new) = pair()
    let path = folder.path("default.store")
    try createFixture(
      app: "Zoo", version: "V1", model: old, at: path,
      options: FixtureOptions(rows: 20, seed: random.next(), isMirrored: isMirrored))
    let connection = try Connection(path: path, mode: .readWrite)
    if !isMirrored, chance(4) {
      // What Core Data leaves of an entity that was renamed and kept its number.
      for entity in old.entities {
        guard let name = entity.renamingIdentifier else { continue }
        try connection.execute(
          "UPDATE Z_PRIMARYKEY SET Z_NAME = ?1 WHERE Z_NAME = ?2",
          [.text(name), .text(entity.name)])
      }
    }
    if chance(2) { try putValuesInFiles(connection, old, StoreFiles(path: path)) }
    try connection.walCheckpointTruncate()
    return (path, old, SchemaFile(app: "Zoo", version: "V2", model: new))
  }

  /// Moves some values of attributes that allow it to files of their own.
  private mutating func putValuesInFiles(
    _ connection: borrowing Connection, _ model: Model, _ files: StoreFiles
  ) throws {
    let layout = ReferenceLayout(model)
    let folder = files.externalDataFolder
    for entity in model.entities {
      for attribute in entity.attributes where attribute.allowsExternalStorage {
        guard let column = layout.cells(of: attribute.name, in: entity.name).first?.name
        else { continue }
        let table = layout.table(entity.name)
        for key in try connection.rows(
          "SELECT Z_PK FROM \(table) WHERE \(column) IS NOT NULL AND Z_PK % 3 = 0")
        {
          let name = uuidText((0..<16).map { _ in UInt8(random.number(256)) })
          try? FileSystem.createDirectory(String(folder.dropLast("/_EXTERNAL_DATA".count)))
          try? FileSystem.createDirectory(folder)
          try FileSystem.create("\(folder)/\(name)", random.bytes(upTo: 200))
          try connection.execute(
            "UPDATE \(table) SET \(column) = ?1 WHERE Z_PK = ?2",
            [.blob([2] + Array(name.utf8) + [0]), key[0]])
        }
      }
    }
  }

  private static func model(
    _ entities: [Entity], version: String, _ dialect: ModelDialect
  ) -> Model {
    let entities = entities.sorted { $0.name < $1.name }
    return Model(
      entities: entities, versionIdentifiers: [version],
      configurations: dialect == .coreData ? [:] : ["default": entities.map(\.name)],
      dialect: dialect)
  }

  private mutating func chance(_ one: UInt64) -> Bool { random.number(one) == 0 }

  private mutating func entity(_ name: String, below parent: Entity?) -> Entity {
    var attributes: [Attribute] = []
    for place in 0..<Int(random.number(4)) + 1 {
      attributes.append(
        attribute("\(name)\(place)", composedOf: attributes.first?.name ?? "part"))
    }
    if let parent, parent.superentityName == nil, chance(2) {
      // Siblings may have it too; their columns have numbers.
      attributes.append(Attribute(name: "same", type: .string, isOptional: true))
    }
    return Entity(
      name: name, superentityName: parent?.name, properties: attributes.map { .attribute($0) },
      // Without a constraint, the cache of the first entity shows the dialect.
      uniquenessConstraints: parent == nil && (name != "Ape" || dialect == .swiftData)
        ? constraints(of: attributes) : [],
      indexes: indexes(of: attributes), renamingIdentifier: chance(4) ? "Old\(name)" : nil)
  }

  /// Returns the attributes that constraints and indexes can have.
  private func plain(_ attributes: [Attribute]) -> [Attribute] {
    attributes.filter { ![.binary, .transformable, .composite].contains($0.type) }
  }

  private mutating func constraints(of attributes: [Attribute]) -> [[String]] {
    let names = plain(attributes).map(\.name)
    let single = names.filter { _ in chance(4) }.map { [$0] }
    return names.count > 1 && chance(6) ? single + [Array(names.prefix(2))] : single
  }

  /// Returns fetch indexes, some of them twice, as Xcode describes indexed attributes.
  private mutating func indexes(of attributes: [Attribute]) -> [FetchIndex] {
    let names = plain(attributes).map(\.name)
    var indexes = names.flatMap { name in
      let index = FetchIndex(name: name, elements: [FetchIndex.Element(propertyName: name)])
      return chance(4) ? chance(2) ? [index, index] : [index] : []
    }
    if let name = names.first, chance(6) {
      // The names of these two differ only in case.
      indexes.append(
        FetchIndex(
          name: name.uppercased(),
          elements: [FetchIndex.Element(propertyName: name, isAscending: false)]))
    }
    return indexes
  }

  /// Returns an attribute; a part of a composite may have the name of another attribute.
  private mutating func attribute(_ name: String, composedOf part: String = "part") -> Attribute {
    let name = name.lowercased()
    if chance(9) {
      return Attribute(name: name, type: .binary, isOptional: true, allowsExternalStorage: true)
    }
    if dialect == .swiftData, chance(9) {
      let isEnum = chance(2)
      let parts = isEnum ? [name] : [part, "town"]
      return Attribute(
        name: name, type: .composite, isOptional: chance(2),
        elements: parts.map { Attribute(name: $0, type: .string, isOptional: true) },
        userInfo: isEnum ? ["EnumType": .boolean(true)] : [:])
    }
    let types: [AttributeType] = [
      .string, .string, .integer64, .integer64, .double, .boolean, .boolean, .date, .uuid,
      .integer16, .integer32, .float, .decimal, .uri, .binary, .transformable,
    ]
    let type = types[Int(random.number(UInt64(types.count)))]
    return Attribute(
      name: name, type: type, isOptional: chance(2), defaultValue: chance(3) ? usual(type) : nil)
  }

  private func usual(_ type: AttributeType) -> ModelValue? {
    switch type {
    case .string: .string("usual")
    case .integer16, .integer32, .integer64: .integer(7)
    case .double, .float: .real(0.5)
    case .boolean: .boolean(true)
    case .date: .date(0.5)
    case .decimal: .decimal("1.5")
    case .uuid: .uuid(Array(1...16))
    case .uri: .url("https://example.org/usual")
    default: nil
    }
  }

  private mutating func changed(_ entity: Entity) -> Entity {
    var attributes: [Attribute] = []
    for case .attribute(var attribute) in entity.properties {
      if chance(12) { continue }
      if chance(4), attribute.type != .composite {
        attribute.isOptional.toggle()
        // Else the two models don't determine the migration.
        attribute.defaultValue = chance(12) ? nil : usual(attribute.type)
      }
      if chance(8) {
        attribute = Attribute(
          name: attribute.name + "new", type: attribute.type, isOptional: attribute.isOptional,
          defaultValue: attribute.defaultValue,
          allowsExternalStorage: attribute.allowsExternalStorage, elements: attribute.elements,
          renamingIdentifier: chance(4) ? nil : attribute.name, userInfo: attribute.userInfo)
      }
      attributes.append(attribute)
    }
    if chance(3) {
      var more = attribute("\(entity.name)more")
      if !chance(12) { more.defaultValue = more.defaultValue ?? usual(more.type) }
      attributes.append(more)
    }
    let names = Set(attributes.map(\.name))
    var unique = entity.uniquenessConstraints.filter { names.isSuperset(of: $0) }
    if entity.superentityName == nil, entity.name != "Ape", chance(9),
      let name = plain(attributes).randomElement(using: &random)?.name
    {
      unique.append([name])
    }
    return Entity(
      name: entity.name, isAbstract: entity.isAbstract, superentityName: entity.superentityName,
      properties: attributes.map { .attribute($0) },
      uniquenessConstraints: Array(Set(unique)).sorted { $0.lexicographicallyPrecedes($1) },
      indexes: indexes(of: attributes), versionHashModifier: chance(12) ? "later" : nil)
  }
}
