import PropertyList
package import StoreModel

extension KeyedArchive {
  /// Archives a model in the format of current systems.
  ///
  /// The model is written as it is. SwiftData also needs the configuration `default` with all
  /// entities (StoreFormat.md §11).
  package init(_ model: Model) throws(ArchiveError) {
    if let feature = model.unsupportedFeatures.first { throw .unsupported(feature) }
    var encoder = try ModelEncoder(model)
    self = try encoder.archive()
  }
}

/// Encodes a model as a keyed archive.
struct ModelEncoder {
  let model: Model
  var builder = ArchiveBuilder()
  private let rootNumber: Int
  private var entityNumbers: [String: Int] = [:]
  private var propertyNumbers: [PropertyPath: Int] = [:]

  /// The properties of each entity, including inherited ones, which the archive repeats.
  private(set) var properties: [String: [Property]] = [:]

  private struct PropertyPath: Hashable {
    let entity: String
    let name: String
  }

  init(_ model: Model) throws(ArchiveError) {
    self.model = model
    rootNumber = builder.reserve()
    for entity in model.entities {
      guard entityNumbers.updateValue(builder.reserve(), forKey: entity.name) == nil else {
        throw .duplicate(entity.name)
      }
      try model.requireRoot(of: entity)
      let properties = model.properties(of: entity.name)
      self.properties[entity.name] = properties
      for property in properties {
        let path = PropertyPath(entity: entity.name, name: property.name)
        propertyNumbers[path] = builder.reserve()
      }
    }
  }
}

extension Model {
  fileprivate func requireRoot(of entity: Entity) throws(ArchiveError) {
    guard let last = chain(from: entity.name).last, let above = self[last]?.superentityName else {
      return
    }
    if self[above] == nil { throw .unknownEntity(above, namedBy: last) }
    throw .inheritanceCycle(entity: entity.name)
  }
}

extension ModelEncoder {
  mutating func archive() throws(ArchiveError) -> KeyedArchive {
    for entity in model.entities { try fill(entity) }
    let entities = try model.entities.map { (entity) throws(ArchiveError) in
      (key: entityName(entity.name), value: try number(ofEntity: entity.name, namedBy: entity.name))
    }
    var members: [String: PropertyList] = [
      "NSEntities": .reference(builder.addKnownKeysDictionary(entities)),
      "NSFetchRequestTemplates": .nilReference,
      "NSVersionIdentifiers": .reference(
        builder.addSet(model.versionIdentifiers.map { builder.add($0) })),
    ]
    if !model.configurations.isEmpty { members["NSConfigurations"] = try configurations() }
    builder.fill(rootNumber, ["NSManagedObjectModel", "NSObject"], members)
    return builder.archive(root: rootNumber)
  }

  private mutating func configurations() throws(ArchiveError) -> PropertyList {
    var entries: [(key: Int, value: Int)] = []
    for (name, members) in model.configurations.sorted(by: { $0.key < $1.key }) {
      var numbers: [Int] = []
      for member in members { numbers.append(try number(ofEntity: member, namedBy: name)) }
      entries.append((key: builder.add(name), value: builder.addSet(numbers)))
    }
    return .reference(builder.addDictionary(entries))
  }
}

// MARK: - Indices of named objects

extension ModelEncoder {
  var rootReference: PropertyList { .reference(rootNumber) }

  func number(ofEntity name: String, namedBy owner: String) throws(ArchiveError) -> Int {
    guard let number = entityNumbers[name] else { throw .unknownEntity(name, namedBy: owner) }
    return number
  }

  /// Returns the index of a property, or `nil` if the entity neither declares nor inherits it.
  func number(ofProperty name: String, of entity: String) -> Int? {
    propertyNumbers[PropertyPath(entity: entity, name: name)]
  }

  mutating func entityName(_ name: String) -> Int {
    builder.add(name, from: .entity(name))
  }

  mutating func propertyName(_ name: String, of entity: String) -> Int {
    builder.add(name, from: .property(entity: entity, name: name))
  }
}
