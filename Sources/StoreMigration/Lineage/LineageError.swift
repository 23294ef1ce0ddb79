import JSONText

/// A reason why a migration doesn't lead from one model to another.
public enum LineageError: Error, Hashable, Sendable {
  /// A step names an entity that isn't there.
  case unknownEntity(String, in: String, known: [String])

  /// A step names a property that isn't there.
  case unknownProperty(PropertyPath, in: String, known: [String])

  /// A step makes something that is there already.
  case exists(String, in: String)

  /// The target has something that no step makes.
  case missingStep(String, in: String)

  /// The source has something that the target doesn't have, and no step removes it.
  case surplus(String, in: String)

  /// A property would be carried into a column of another type.
  case typeChange(PropertyPath, from: String, to: String, in: String)

  /// A step about one value is about an attribute of several parts.
  case severalParts(PropertyPath, in: String)

  /// A converter can't read values of the attribute's type.
  case wrongInput(PropertyPath, type: String, converter: String, in: String)

  /// A merge has two attributes of one entity, of which a row could have both.
  case mergedTwice(PropertyPath, in: String)

  /// A backfill that matches isn't about a to-one relationship that may lead nowhere.
  case notLinkable(PropertyPath, in: String)

  /// A relationship would lead to rows of another entity than it did.
  case retargeted(PropertyPath, from: String, to: String, in: String)

  /// A mandatory attribute would have no value.
  case noValue(PropertyPath, in: String)

  /// A value that a step gives doesn't fit the attribute's type.
  case wrongValue(PropertyPath, type: String, in: String)
}

extension LineageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownEntity(let name, let migration, let known):
      "migration '\(migration)': there is no entity '\(name)'\(suggestion(name, known))"
    case .unknownProperty(let path, let migration, let known):
      "migration '\(migration)': '\(path.entity)' has no property '\(path.property)'"
        + suggestion(path.property, known)
    case .exists(let name, let migration):
      "migration '\(migration)': '\(name)' is there already; remove the step"
    case .missingStep(let name, let migration):
      "migration '\(migration)': no step makes '\(name)'; add one"
    case .surplus(let name, let migration):
      "migration '\(migration)': the target has no '\(name)'; add a step that drops it"
    case .typeChange(let path, let from, let to, let migration):
      "migration '\(migration)': '\(path)' changes from \(from) to \(to); add a step that converts it"
    case .severalParts(let path, let migration):
      "migration '\(migration)': '\(path)' is a composite of several attributes; "
        + "drop it, or rename it as a whole"
    case .wrongInput(let path, let type, let converter, let migration):
      "migration '\(migration)': '\(converter)' doesn't read \(type), which '\(path)' is; "
        + "give another converter"
    case .mergedTwice(let path, let migration):
      "migration '\(migration)': '\(path)' is merged of two attributes of one entity, of which a row "
        + "could have both; name one of each sub-entity"
    case .notLinkable(let path, let migration):
      "migration '\(migration)': '\(path)' isn't a to-one relationship to be filled by matching; "
        + "name one, once, with 'where' 'null'"
    case .retargeted(let path, let from, let to, let migration):
      "migration '\(migration)': '\(path)' leads to rows of '\(from)', which don't become "
        + "'\(to)'; rename the entity, or drop and add the relationship"
    case .noValue(let path, let migration):
      "migration '\(migration)': '\(path)' is mandatory and has no default; give the step a value"
    case .wrongValue(let path, let type, let migration):
      "migration '\(migration)': the value for '\(path)' isn't \(type); give one of that type"
    }
  }

  private func suggestion(_ name: String, _ known: [String]) -> String {
    nearestName(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }
}
