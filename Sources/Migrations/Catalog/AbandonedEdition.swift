package import JSONText
package import StoreModel

/// A form of an app's model that reached devices, was abandoned, and isn't known in full.
///
/// The version identifiers of such a store are those of a version that shipped in another form.
/// Signs distinguish the store from that version. It can't be migrated, only described.
package struct AbandonedEdition: Hashable, Sendable {
  /// A feature of a model that indicates an edition.
  package enum Sign: Hashable, Sendable {
    /// The model has the property.
    case has(PropertyPath)

    /// The model has the entity, but the entity doesn't have the property.
    case lacks(PropertyPath)

    /// The relationship has no inverse.
    case hasNoInverse(PropertyPath)

    /// The attribute alone forms a uniqueness constraint.
    case isUnique(PropertyPath)

    /// The relationship is mandatory.
    case isMandatory(PropertyPath)
  }

  /// The version of the file format that this library reads.
  package static let formatVersion: Int64 = 1

  /// The app.
  package let app: String

  /// The edition's name: `VERSION@EDITION`.
  package let name: String

  /// The version identifiers of stores of this edition; one of them is enough.
  package let identifiers: [String]

  /// The signs; one of them is enough.
  package let signs: [Sign]

  /// What the edition is, and what you can do, for people.
  package let note: String

  /// Returns whether a model has one of the identifiers and one of the signs.
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
  /// - Throws: A `JSONError` with the position of the first violation of `MigrationFiles.md`.
  package init(parsing bytes: [UInt8], file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file).document(Self.format)
    var signs: [Sign] = []
    for node in try object.required("signs").array { signs.append(try Sign(parsing: node)) }
    app = try object.required("app").string
    name = try object.required("edition").string
    identifiers = try object.required("identifiers").strings
    self.signs = signs
    note = try object.required("note").string
  }
}

extension AbandonedEdition {
  /// The format of edition files.
  package static let format = JSONFormat(
    "An edition file of outbox-migrate", version: formatVersion,
    JSONForm(
      "A form of an app's model that reached devices, was abandoned, and isn't known in full.",
      [
        .required("app", .string(), "The app, as its schema files name it; compared without case."),
        .required("edition", .string(), "The edition's name: VERSION@EDITION."),
        .required(
          "identifiers", .array(of: .string()),
          "The version identifiers of stores of this edition; one of them is enough."),
        .required(
          "signs", .array(of: .object(Sign.form)),
          "What distinguishes the model from the version's; one of them is enough."),
        .required("note", .string(), "What the edition is, and what you can do, for people."),
      ]))
}

extension AbandonedEdition.Sign {
  /// The form of a sign.
  fileprivate static let form = JSONForm(
    "A feature of a model that indicates the edition.",
    [
      .optional("has", .propertyName, "The model has the property."),
      .optional("lacks", .propertyName, "The model has the entity without the property."),
      .optional("unique", .propertyName, "The attribute is unique."),
      .optional("mandatory", .propertyName, "The relationship is mandatory."),
      .optional("no_inverse", .propertyName, "The relationship has no inverse."),
    ],
    rules: [.exactlyOne(of: Kind.allCases.map(\.rawValue))])

  private enum Kind: String, CaseIterable {
    case has, lacks, unique, mandatory
    case noInverse = "no_inverse"
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    guard let member = object.members.first, object.members.count == 1,
      let kind = Kind(rawValue: member.key)
    else {
      let keys = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw node.error("a sign has exactly one key; give one of \(keys)")
    }
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
