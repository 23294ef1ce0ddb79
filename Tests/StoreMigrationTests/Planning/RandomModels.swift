import Migrations
import SQLite
import StoreFixtures
import StoreModel
import TestSupport

/// Random small models, and models that a next version of their app could have.
struct RandomModels {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a model and one that follows it.
  mutating func pair() -> (old: Model, new: Model) {
    var entities: [Entity] = []
    for name in ["Ape", "Bee", "Cat", "Dog"].prefix(Int(random.number(3)) + 2) {
      entities.append(entity(name, below: entities.first { _ in chance(4) }))
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
    let dialect: ModelDialect = chance(3) ? .coreData : .swiftData
    return (
      Self.model(entities.map(links.added(to:)), version: "1.0.0", dialect),
      Self.model(next.map(later.added(to:)), version: "2.0.0", dialect)
    )
  }

  /// Creates a store of a random model, and returns its path and the schema of a next version.
  mutating func store(
    isMirrored: Bool = false, in folder: TemporaryDirectory
  ) throws -> (path: String, next: SchemaFile) {
    let (old, new) = pair()
    let path = folder.path("default.store")
    try createFixture(
      app: "Zoo", version: "V1", model: old, at: path,
      options: FixtureOptions(rows: 20, seed: random.next(), isMirrored: isMirrored))
    if !isMirrored, chance(4) {
      // What Core Data leaves of an entity that was renamed and kept its number.
      let connection = try Connection(path: path, mode: .readWrite)
      for entity in old.entities {
        guard let name = entity.renamingIdentifier else { continue }
        try connection.execute(
          "UPDATE Z_PRIMARYKEY SET Z_NAME = ?1 WHERE Z_NAME = ?2",
          [.text(name), .text(entity.name)])
      }
      try connection.walCheckpointTruncate()
    }
    return (path, SchemaFile(app: "Zoo", version: "V2", model: new))
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
    for place in 0..<Int(random.number(4)) + 1 { attributes.append(attribute("\(name)\(place)")) }
    let unique = attributes.filter { $0.type != .binary && chance(4) }.map { [$0.name] }
    return Entity(
      name: name, superentityName: parent?.name, properties: attributes.map { .attribute($0) },
      uniquenessConstraints: parent == nil ? unique : [], indexes: indexes(of: attributes),
      renamingIdentifier: chance(4) ? "Old\(name)" : nil)
  }

  /// Returns fetch indexes, some of them twice, as Xcode describes indexed attributes.
  private mutating func indexes(of attributes: [Attribute]) -> [FetchIndex] {
    attributes.filter { $0.type != .binary }.flatMap { attribute in
      let index = FetchIndex(
        name: attribute.name, elements: [FetchIndex.Element(propertyName: attribute.name)])
      return chance(4) ? chance(2) ? [index, index] : [index] : []
    }
  }

  private mutating func attribute(_ name: String) -> Attribute {
    if chance(9) {
      return Attribute(
        name: name.lowercased(), type: .binary, isOptional: true, allowsExternalStorage: true)
    }
    let type = [AttributeType.string, .integer64, .double, .boolean][Int(random.number(4))]
    return Attribute(
      name: name.lowercased(), type: type, isOptional: chance(2),
      defaultValue: chance(3) ? usual(type) : nil)
  }

  private func usual(_ type: AttributeType) -> ModelValue {
    switch type {
    case .string: .string("usual")
    case .integer64: .integer(7)
    case .double: .real(0.5)
    default: .boolean(true)
    }
  }

  private mutating func changed(_ entity: Entity) -> Entity {
    var attributes: [Attribute] = []
    for case .attribute(var attribute) in entity.properties {
      if chance(12) { continue }
      if chance(4) {
        attribute.isOptional.toggle()
        // Else the two models don't determine the migration.
        attribute.defaultValue =
          chance(12) || attribute.type == .binary ? nil : usual(attribute.type)
      }
      if chance(8) {
        attribute = Attribute(
          name: attribute.name + "new", type: attribute.type, isOptional: attribute.isOptional,
          defaultValue: attribute.defaultValue,
          allowsExternalStorage: attribute.allowsExternalStorage,
          renamingIdentifier: chance(4) ? nil : attribute.name)
      }
      attributes.append(attribute)
    }
    if chance(3) {
      var more = attribute("\(entity.name)more")
      if !chance(12), more.type != .binary { more.defaultValue = usual(more.type) }
      attributes.append(more)
    }
    let names = Set(attributes.map(\.name))
    var unique = entity.uniquenessConstraints.filter { names.isSuperset(of: $0) }
    if entity.superentityName == nil, chance(3),
      let name = attributes.filter({ $0.type != .binary }).randomElement(using: &random)?.name
    {
      unique.append([name])
    }
    return Entity(
      name: entity.name, superentityName: entity.superentityName,
      properties: attributes.map { .attribute($0) },
      uniquenessConstraints: Array(Set(unique)).sorted { $0[0] < $1[0] },
      indexes: indexes(of: attributes))
  }
}
