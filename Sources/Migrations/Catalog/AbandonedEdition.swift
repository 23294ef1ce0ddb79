package import JSONText
package import StoreModel

/// A form of an app's model that reached devices and was given up, and isn't known in full.
///
/// A store of such a form has the number of a version that shipped otherwise. It is told by signs, so
/// that it isn't mistaken for that version; what isn't known in full can't be migrated, only explained.
package struct AbandonedEdition: Hashable, Sendable {
  /// Something about a model by which an edition is told.
  package enum Sign: Hashable, Sendable {
    /// The model has a property.
    case has(PropertyPath)

    /// The model has the entity, and no such property in it.
    case lacks(PropertyPath)

    /// The model's relationship has no inverse.
    case hasNoInverse(PropertyPath)

    /// The attribute, alone, is unique in the model.
    case isUnique(PropertyPath)

    /// The model's relationship is mandatory.
    case isMandatory(PropertyPath)
  }

  /// The version of the file format that this library reads.
  package static let formatVersion: Int64 = 1

  /// The app.
  package let app: String

  /// The edition's name: `VERSION@EDITION`.
  package let name: String

  /// The version identifiers that stores of this form have; one of them is enough.
  package let identifiers: [String]

  /// The signs; one of them is enough.
  package let signs: [Sign]

  /// What it is and what can be done, for people.
  package let note: String

  /// Returns whether a model is of this form, as far as the signs tell.
  package func matches(_ model: Model) -> Bool {
    !identifiers.filter(model.versionIdentifiers.contains).isEmpty
      && signs.contains { $0.holds(of: model) }
  }
}

extension AbandonedEdition.Sign {
  fileprivate func holds(of model: Model) -> Bool {
    switch self {
    case .has(let path): return model[path.entity]?[path.property] != nil
    case .lacks(let path):
      guard let entity = model[path.entity] else { return false }
      return entity[path.property] == nil
    case .hasNoInverse(let path):
      guard case .relationship(let found) = model[path.entity]?[path.property] else { return false }
      return found.inverseName == nil
    case .isUnique(let path):
      return model[path.entity]?.uniquenessConstraints.contains([path.property]) == true
    case .isMandatory(let path):
      guard case .relationship(let found) = model[path.entity]?[path.property] else { return false }
      return !found.isOptional
    }
  }
}

extension AbandonedEdition {
  /// Reads an edition file.
  ///
  /// - Throws: A `JSONError` with the place of the first thing that isn't as `MigrationFiles.md`
  ///   says.
  package init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file)
      .object(allowing: ["format_version", "app", "edition", "identifiers", "signs", "note"])
    try object.checkFormatVersion(Self.formatVersion)
    var signs: [Sign] = []
    for node in try object.required("signs").array { signs.append(try Sign(parsing: node)) }
    app = try object.required("app").string
    name = try object.required("edition").string
    identifiers = try object.required("identifiers").strings
    self.signs = signs
    note = try object.required("note").string
  }
}

extension AbandonedEdition.Sign {
  private enum Kind: String, CaseIterable {
    case has, lacks, unique, mandatory
    case noInverse = "no_inverse"
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: Kind.allCases.map(\.rawValue))
    guard let member = object.members.first, object.members.count == 1,
      let kind = Kind(rawValue: member.key)
    else { throw node.error("a sign says one thing; give one key") }
    let path = try StepObject(member.node).attribute
    self =
      switch kind {
      case .has: .has(path)
      case .lacks: .lacks(path)
      case .unique: .isUnique(path)
      case .mandatory: .isMandatory(path)
      case .noInverse: .hasNoInverse(path)
      }
  }
}
