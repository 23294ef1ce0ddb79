import StoreFormat
import SQLite
import StoreModel

/// The models before and after a migration.
struct StepContext {
  package let migration: String
  package let source: Model
  package let target: Model

  /// The values that formulas may name.
  let constants: [String: Value]

  /// Returns the target's property for a present one.
  ///
  /// A later step may rename the property, so it may have another name in the target.
  func targetProperty(
    _ path: PropertyPath, _ names: TargetNames
  ) throws(LineageError) -> Property {
    let entity = names.target(path.entity)
    guard let found = target[entity] else {
      throw .unknownEntity(entity, in: migration, known: target.entities.map(\.name))
    }
    guard let property = found[names.targetName(of: path)] else {
      throw .unknownProperty(path, in: migration, known: found.properties.map(\.name))
    }
    return property
  }

  /// Returns the value of a new attribute in rows that exist already.
  ///
  /// Core Data uses the default whether the attribute is optional or not; see `StoreFormat.md`
  /// §14.5.
  package func defaultValue(
    of leaf: Attribute, in attribute: Attribute, path: PropertyPath
  ) throws(LineageError) -> Value {
    if let value = attribute.storedDefault(of: leaf) {
      if case .integer(let number) = value, leaf.type.integerRange?.contains(number) == false {
        throw .wrongValue(path, type: leaf.type.name, in: migration)
      }
      return value
    }
    guard attribute.isOptional || leaf.isOptional else { throw .noValue(path, in: migration) }
    return .null
  }

  /// Returns the value in a step as a column stores it, or else the default.
  package func value(
    _ value: ModelValue?, of leaf: Attribute, in attribute: Attribute, path: PropertyPath
  ) throws(LineageError) -> Value {
    guard let value else { return try defaultValue(of: leaf, in: attribute, path: path) }
    guard value.fits(leaf.type), let stored = value.stored(as: leaf) else {
      throw .wrongValue(path, type: leaf.type.name, in: migration)
    }
    if stored.isNull && !attribute.isOptional && !leaf.isOptional {
      throw .noValue(path, in: migration)
    }
    return stored
  }

  /// Returns the insignificant values of each leaf of a source's attribute, by cell name.
  package func insignificantValues(
    of path: PropertyPath, entity: String
  ) -> [String: InsignificantValues] {
    guard case .attribute(let attribute) = source[entity]?[path.property] else { return [:] }
    return Dictionary(
      attribute.leaves.map { ($0.cellName, InsignificantValues(of: $0.attribute, in: attribute)) },
      uniquingKeysWith: { first, _ in first })
  }

  func sourceDefault(of path: PropertyPath, entity: String) -> Value? {
    guard case .attribute(let attribute) = source[entity]?[path.property] else { return nil }
    return attribute.leaves.first.flatMap { attribute.storedDefault(of: $0.attribute) }
  }
}

extension AttributeLeaf {
  /// Returns the name of the value while the attribute has another name than in its model.
  func cellName(under name: String) -> String { name + cellName.drop { $0 != "." } }
}

/// Maps an entity's present name to its names before and after a migration, while steps run.
struct TargetNames {
  private var sourceByPresent: [String: String] = [:]
  private let renames: [String: String]

  /// The steps after the present one.
  var later: ArraySlice<Step> = []

  package init(_ migration: Migration) {
    var renames: [String: String] = [:]
    for case .renameEntity(let name, let newName) in migration.steps { renames[name] = newName }
    self.renames = renames
  }

  package mutating func renamed(_ name: String, to newName: String) {
    sourceByPresent[newName] = source(name)
    sourceByPresent[name] = nil
  }

  package func source(_ present: String) -> String { sourceByPresent[present] ?? present }

  /// Returns the present name of an entity of the source.
  func present(_ source: String) -> String {
    sourceByPresent.first { $0.value == source }?.key ?? source
  }

  /// Returns the name that a present property has in the target by the later steps.
  func targetName(of present: PropertyPath) -> String {
    var (entity, name) = (present.entity, present.property)
    for step in later {
      switch step {
      case .renameEntity(entity, let newName): entity = newName
      case .rename(PropertyPath(entity: entity, property: name), let newName): name = newName
      default: continue
      }
    }
    return name
  }

  package func target(_ present: String) -> String {
    sourceByPresent[present] == nil ? renames[present] ?? present : present
  }
}
