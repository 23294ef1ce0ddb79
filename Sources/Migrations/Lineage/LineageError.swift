import JSONText
import StoreModel

/// The reason why a migration doesn't lead from one model to another.
package enum LineageError: Error, Hashable, Sendable {
  /// A step names an unknown entity.
  case unknownEntity(String, in: String, known: [String])

  /// A step names an unknown property.
  case unknownProperty(PropertyPath, in: String, known: [String])

  /// A step adds something that exists already.
  case exists(String, in: String)

  /// The target has something that no step adds.
  case missingStep(String, in: String)

  /// The source has something that the target doesn't have, and no step removes it.
  case surplus(String, in: String)

  /// The values of a property don't have the column type of the target.
  case typeChange(PropertyPath, from: String, to: String, in: String)

  /// A step for a single value names a composite of several attributes.
  case severalParts(PropertyPath, in: String)

  /// A converter can't read values of the attribute's type.
  case wrongInput(PropertyPath, type: String, converter: String, in: String)

  /// A merge names two attributes of one entity; a row could have a value in both.
  case mergedTwice(PropertyPath, in: String)

  /// A backfill with `matching` isn't about a to-one relationship that it can fill.
  case notLinkable(PropertyPath, in: String)

  /// A relationship would lead to rows of another entity than before.
  case retargeted(PropertyPath, from: String, to: String, in: String)

  /// Links are stored in another way, and no step says so; `nil` if only the inverse comes or goes.
  case cardinality(PropertyPath, isToMany: Bool?, in: String)

  /// A step that relinks isn't about a relationship that changes, or not in that way.
  case notRelinkable(PropertyPath, reason: String, in: String)

  /// A mandatory attribute would have no value.
  case noValue(PropertyPath, in: String)

  /// The value in a step doesn't fit the attribute's type.
  case wrongValue(PropertyPath, type: String, in: String)

  /// Two keys of a table of values are the same value.
  case sameKey(PropertyPath, String, String, in: String)

  /// A formula isn't an SQL expression over the entity's attributes; with its place in a file.
  case badFormula(PropertyPath, reason: String, place: String?, in: String)

  /// A formula reads an attribute that a converter of the same run makes.
  case convertedInput(PropertyPath, String, madeBy: String, in: String)

  /// Values of one type can't be read in another, or not in the given form.
  case noTypeChange(PropertyPath, from: String, to: String, format: String?, in: String)

  /// A step can't split or inline an entity, or change one that is split; with its place in a file.
  case notDivisible(String, verb: String, reason: String, place: String?, in: String)

  /// Rows would lose values that their entity had from a super-entity, and keep them in columns.
  case leavesSuperentity(String, of: String, in: String)

  /// Two attributes of a row would have the same value, which may be in a file of its own.
  case sharedFile(PropertyPath, PropertyPath, in: String)

  /// An error in a step; steps are counted from 1.
  indirect case inStep(Int, LineageError)
}

extension LineageError: CustomStringConvertible {
  package var description: String {
    if case .inStep(let number, let error) = self {
      return "migration '\(error.migration)', step \(number): \(error.reason)"
    }
    return "\(reason)"
  }

  /// The name of the migration.
  private var migration: String {
    switch self {
    case .unknownEntity(_, let name, _), .unknownProperty(_, let name, _), .exists(_, let name),
      .missingStep(_, let name), .surplus(_, let name), .typeChange(_, _, _, let name),
      .severalParts(_, let name), .wrongInput(_, _, _, let name),
      .mergedTwice(_, let name),
      .notLinkable(_, let name), .retargeted(_, _, _, let name), .noValue(_, let name),
      .wrongValue(_, _, let name), .badFormula(_, _, _, let name), .sameKey(_, _, _, let name),
      .convertedInput(_, _, _, let name), .noTypeChange(_, _, _, _, let name),
      .cardinality(_, _, let name), .notRelinkable(_, _, let name),
      .notDivisible(_, _, _, _, let name), .leavesSuperentity(_, _, let name),
      .sharedFile(_, _, let name):
      name
    case .inStep(_, let error): error.migration
    }
  }

  private var reason: String {
    switch self {
    case .inStep(_, let error): error.reason
    case .unknownEntity(let name, _, let known):
      "there is no entity '\(name)'\(suggestion(name, known) ?? list(known))"
    case .unknownProperty(let path, _, let known):
      "'\(path.entity)' has no property '\(path.property)'"
        + (suggestion(path.property, known) ?? list(known))
    case .exists(let name, _): "'\(name)' already exists; remove the step"
    case .missingStep(let name, _): "no step creates '\(name)'; add one, or rename its predecessor"
    case .surplus(let name, _): "the target has no '\(name)'; add a step that drops or renames it"
    case .typeChange(let path, let from, let to, _):
      "'\(path)' changes from \(from) to \(to); add a step that converts it, such as 'retype' or "
        + "'compute'"
    case .severalParts(let path, _):
      "'\(path)' is a composite of several attributes; drop or rename it, or 'add' or 'drop' leaves"
    case .sharedFile(let path, let other, _): text(ofFileOf: path, and: other)
    case .wrongInput(let path, let type, let converter, _):
      "'\(converter)' can't convert '\(path)', whose type is \(type); give another converter"
    case .mergedTwice(let path, _): text(ofMergingTwice: path)
    case .notLinkable(let path, _):
      "'matching' can't fill '\(path)'; it fills a to-one relationship, in a single step, "
        + "with 'where' set to 'null'"
    case .retargeted(let path, let from, let to, _): text(ofDestinations: from, to, of: path)
    case .cardinality(let path, let isToMany, _): text(ofCardinalityOf: path, isToMany: isToMany)
    case .notRelinkable(let path, let reason, _): "'relink' can't change '\(path)': \(reason)"
    case .notDivisible(let object, let verb, let reason, let place, _):
      prefix(place) + "'\(verb)' can't change '\(object)': \(reason)"
    case .leavesSuperentity(let name, let entity, _):
      "'\(entity)' no longer inherits from '\(name)', so what its rows have of that would have no place"
    case .noValue(let path, _):
      "'\(path)' is mandatory and has no default; give the step a value"
    case .wrongValue(let path, let type, _): text(ofValueFor: path, type)
    case .sameKey(let path, let first, let second, _): text(ofKeys: first, second, of: path)
    case .badFormula(let path, let reason, let place, _): text(ofMistake: reason, in: path, place)
    case .convertedInput(let path, let name, let maker, _): text(of: name, by: maker, for: path)
    case .noTypeChange(let path, let from, let to, let format, _):
      text(ofNoChange: path, from: from, to: to, format)
    }
  }

  private func text(ofFileOf path: PropertyPath, and other: PropertyPath) -> String {
    "'\(path)' and '\(other)' would have one value, and two attributes can't share a file of external "
      + "storage; drop the older one, or leave the other without values"
  }

  private func text(ofDestinations from: String, _ to: String, of path: PropertyPath) -> String {
    "the rows of '\(from)', to which '\(path)' leads, don't become rows of '\(to)'; "
      + "rename the entity, or drop and add the relationship"
  }

  private func text(ofMergingTwice path: PropertyPath) -> String {
    "'\(path)' merges two attributes of one entity, so a row could have a value in both; "
      + "name one attribute of each sub-entity"
  }

  private func text(ofValueFor path: PropertyPath, _ type: String) -> String {
    let form = AttributeType.allCases.first { $0.name == type }?.valueForm ?? "VALUE"
    return "the value for '\(path)' isn't \(type); give one of that type"
      + (form == "VALUE" ? "" : ", in the form \(form)")
  }

  private func prefix(_ place: String?) -> String { place.map { "\($0): " } ?? "" }

  private func text(ofCardinalityOf path: PropertyPath, isToMany: Bool?) -> String {
    let change =
      isToMany.map { "becomes \($0 ? "to-many" : "to-one")" } ?? "gets or loses its inverse"
    return "'\(path)' \(change), and its links are stored in another way; "
      + "add a step that relinks it"
  }

  private func text(ofKeys first: String, _ second: String, of path: PropertyPath) -> String {
    "the keys '\(first)' and '\(second)' of '\(path)' are the same value; remove one"
  }

  private func text(
    ofMistake reason: String, in path: PropertyPath, _ place: String?
  ) -> String {
    "\(place.map { "\($0): " } ?? "")the formula of '\(path.object)' can't be used: \(reason)"
  }

  private func text(of name: String, by maker: String, for path: PropertyPath) -> String {
    "the formula of '\(path.object)' reads '\(name)', which \(maker) makes in the same run; "
      + "compute it from \(maker == "a converter" ? "the attribute before" : "other attributes"), "
      + "or migrate in two runs"
  }

  private func text(
    ofNoChange path: PropertyPath, from: String, to: String, _ format: String?
  ) -> String {
    guard let format else {
      return "'\(path)' can't change from \(from) to \(to) by 'retype'; "
        + "use 'compute' with a formula, or 'convert'"
    }
    return "'\(format)' isn't a form in which '\(path)' changes from \(from) to \(to); "
      + "see 'Type changes' in MigrationFiles.md"
  }

  private func suggestion(_ name: String, _ known: [String]) -> String? {
    nearestName(to: name, among: known).map { "; did you mean '\($0)'?" }
  }

  /// Returns a phrase with the known names or, if there are too many, advice to check the name.
  private func list(_ known: [String]) -> String {
    guard !known.isEmpty, known.count <= 8 else { return "; check its name" }
    return "; there is " + known.map { "'\($0)'" }.joined(separator: ", ")
  }
}
