import JSONText

/// Attributes of an entity that become those of a new entity, to which a new link leads.
package struct EntitySplit: Hashable, Sendable {
  /// How many rows the new entity gets.
  package enum Per: String, CaseIterable, Hashable, Sendable {
    /// One for each row of the owner.
    case row

    /// One for each combination of values.
    case value
  }

  /// The owner: the entity that has the attributes, by its name before the step.
  package let entity: String

  /// The new entity.
  package let part: String

  /// The attributes, by their names in the owner and in the new entity.
  package let attributes: [MovedAttribute]

  /// The new to-one relationship of the owner.
  package let link: String
  package let per: Per

  /// Whether a mandatory attribute gets the minimal value of its type if there is no value.
  ///
  /// Only the inverse of an inlining does so: a rollback isn't refused for a missing value.
  let fillsMissing: Bool

  /// The place of the step in a file.
  let place: StepPlace
}

/// Attributes of a linked row that become those of the row with the link.
///
/// The linked entity is removed.
package struct EntityInline: Hashable, Sendable {
  /// The to-one relationship, by its names before the step.
  package let path: PropertyPath

  /// The attributes, by their names in the linked entity and in the owner.
  package let attributes: [MovedAttribute]

  /// Whether a mandatory attribute gets the minimal value of its type if there is no row.
  ///
  /// Only the inverse of a split does so: a rollback isn't refused for a missing row.
  let fillsMissing: Bool

  /// The place of the step in a file.
  let place: StepPlace
}

/// An attribute that moves to another entity.
package struct MovedAttribute: Hashable, Sendable {
  /// The name before the step.
  package let name: String

  /// The name after the step.
  package let newName: String
}

/// The place of a step in a file; steps are compared without it.
package struct StepPlace: Hashable, Sendable {
  /// The position as `file:line:column`; `nil` if the step isn't from a file.
  let text: String?

  package static func == (left: Self, right: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

extension EntitySplit {
  init(_ target: StepObject, _ object: JSONObject) throws(JSONError) {
    self.init(
      entity: try target.entityAlone, part: try object.required("into").nameAlone,
      attributes: try object.required("attributes").movedAttributes,
      link: try object.required("link").nameAlone,
      per: try object.required("per").name(as: Per.self), fillsMissing: false,
      place: StepPlace(target.node))
  }

  /// The inverse step.
  var inverse: EntityInline {
    EntityInline(
      path: PropertyPath(entity: entity, property: link),
      attributes: attributes.map { MovedAttribute(name: $0.newName, newName: $0.name) },
      fillsMissing: true, place: StepPlace(text: nil))
  }
}

extension EntityInline {
  init(_ target: StepObject, _ object: JSONObject) throws(JSONError) {
    self.init(
      path: try target.attribute, attributes: try object.required("attributes").movedAttributes,
      fillsMissing: false, place: StepPlace(target.node))
  }

  /// Returns the inverse step, for a linked entity with a name.
  func inverse(part: String) -> EntitySplit {
    EntitySplit(
      entity: path.entity, part: part,
      attributes: attributes.map { MovedAttribute(name: $0.newName, newName: $0.name) },
      link: path.property, per: .row, fillsMissing: true, place: StepPlace(text: nil))
  }
}

extension StepPlace {
  fileprivate init(_ node: JSONNode) {
    text = (node.file.map { "\($0):" } ?? "") + "\(node.position)"
  }
}

extension [MovedAttribute] {
  /// The attributes as a step states them: an array of names or, if names change, an object.
  var json: JSONValue {
    allSatisfy { $0.name == $0.newName }
      ? .array(map { .string($0.name) })
      : .object(map { .init($0.name, .string($0.newName)) })
  }
}

extension JSONNode {
  /// Attributes in an array, or in an object with their new names.
  fileprivate var movedAttributes: [MovedAttribute] {
    get throws(JSONError) {
      var moved: [MovedAttribute] = []
      var newNames: Set<String> = []
      func add(_ name: String, _ node: JSONNode) throws(JSONError) {
        let newName = try node.nameAlone
        guard newNames.insert(newName).inserted, !moved.contains(where: { $0.name == name }) else {
          throw node.error("'\(newName)' is named twice; name each attribute once")
        }
        moved.append(MovedAttribute(name: name, newName: newName))
      }
      if case .object(let members) = value {
        for member in members { try add(member.key, member.node) }
      } else {
        for node in try array { try add(try node.nameAlone, node) }
      }
      guard !moved.isEmpty else { throw error("no attribute is named; name those that move") }
      return moved
    }
  }
}
