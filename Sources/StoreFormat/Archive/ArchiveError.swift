package import Platform
package import PropertyList
package import StoreModel

/// A reason why a model cache can't be read or written.
package enum ArchiveError: Error, Hashable, Sendable {
  case compression(InflateError)
  case propertyList(PropertyListError)

  /// What is wrong with the archive as such.
  case notAnArchive(String)

  /// An object that isn't what the place asks for: the place, and what it asks for.
  case unexpected(String, wanted: String)
  case reference(UInt64, of: Int)

  /// The archive unfolds to more parts than a model can have.
  case tooLarge
  case inheritanceCycle(entity: String)

  /// Something has a name twice: an entity, or a property as `Entity.property`.
  case duplicate(String)
  case unknownEntity(String, namedBy: String)
  case attributeType(Int64, attribute: String)
  case deleteRule(Int64, relationship: String)
  case unsupported(UnsupportedFeature)
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .compression(let error): error.description
    case .propertyList(let error): error.description
    case .notAnArchive(let problem): "it is no keyed archive: \(problem)"
    case .unexpected(let place, let wanted): "\(place) is not \(wanted)"
    case .reference(let number, let count):
      "object \(number) is referred to, but there are only \(count)"
    case .tooLarge: "it unfolds to more parts than a model can have"
    case .inheritanceCycle(let entity): "the entity '\(entity)' inherits from itself"
    case .duplicate(let name): "there is more than one '\(name)'"
    case .unknownEntity(let name, let place):
      "'\(place)' names an entity '\(name)' that isn't there"
    case .attributeType(let number, let attribute):
      "the attribute '\(attribute)' has the type \(number), which isn't known"
    case .deleteRule(let number, let relationship):
      "the relationship '\(relationship)' has the delete rule \(number), which isn't known"
    case .unsupported(let feature):
      "\(feature), which can't be written; leave it out of the model"
    }
  }
}
