package import Platform
package import PropertyList
package import StoreModel

/// An error when reading or writing a model cache.
package enum ArchiveError: Error, Hashable, Sendable {
  case compression(InflateError)
  case propertyList(PropertyListError)

  /// The property list isn't a keyed archive.
  case notAnArchive(String)

  /// An object isn't what its context requires; the values are the object and the requirement.
  case unexpected(String, wanted: String)
  case reference(UInt64, of: Int)

  /// The archive expands to more parts than a model can have.
  case tooLarge
  case inheritanceCycle(entity: String)

  /// A name isn't unique: an entity, or a property as `Entity.property`.
  case duplicate(String)
  case unknownEntity(String, namedBy: String)
  case attributeType(Int64, attribute: String)
  case deleteRule(Int64, relationship: String)
  case unsupported(UnsupportedFeature)

  /// A new store can't have an R-tree; the value is `Entity.index`.
  case spatialIndex(String)
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .compression(let error): error.description
    case .propertyList(let error): error.description
    case .notAnArchive(let problem): "it isn't a keyed archive: \(problem)"
    case .unexpected(let object, let wanted): "\(object) is not \(wanted)"
    case .reference(let number, let count):
      "reference to object \(number) of \(count)"
    case .tooLarge: "it expands to more parts than a model can have"
    case .inheritanceCycle(let entity): "the entity '\(entity)' inherits from itself"
    case .duplicate(let name): "duplicate name '\(name)'"
    case .unknownEntity(let name, let owner):
      "'\(owner)' refers to unknown entity '\(name)'"
    case .attributeType(let number, let attribute):
      "the attribute '\(attribute)' has the unknown type \(number)"
    case .deleteRule(let number, let relationship):
      "the relationship '\(relationship)' has the unknown delete rule \(number)"
    case .unsupported(let feature):
      "\(feature), which can't be written; leave it out of the model"
    case .spatialIndex(let name):
      "the index '\(name)' is an R-tree, which can't be written; leave it out of the model"
    }
  }
}
