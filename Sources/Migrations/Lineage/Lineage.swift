import SQLite
package import StoreModel

/// Where every value of one model comes from, in terms of another: a chain of migrations, fused.
///
/// A lineage starts as the identity on the source's model. Each migration rewrites it, so that at
/// the end every property of the target is one expression over one row of the source, however many
/// versions lie between.
package struct Lineage: Hashable, Sendable {
  /// The lineage of one entity of the target.
  package struct EntityLineage: Hashable, Sendable {
    /// The source's entity whose rows these are; none for an entity without rows.
    package var source: String?

    /// Where each attribute comes from; leaves of composites as `attribute.leaf`.
    package var cells: [String: Expression]

    /// The type of each attribute's values, as far as the steps tell.
    package var types: [String: AttributeType] = [:]

    /// Where each relationship comes from.
    package var relationships: [String: RelationshipLineage]
  }

  /// The lineage of one relationship of the target.
  package struct RelationshipLineage: Hashable, Sendable {
    /// A relationship of the source.
    package struct Source: Hashable, Sendable {
      /// Its name.
      package let name: String

      /// The source's entity that it leads to.
      package let destination: String?
    }

    /// The source's relationship; none for one that is new.
    package var source: Source?

    /// Where links come from that the source doesn't have.
    package var match: Match?
  }

  /// Finds the row that a link leads to by the value of an attribute.
  package struct Match: Hashable, Sendable {
    /// The source's entity whose rows are looked at.
    package let entity: String

    /// The entity's attribute, in the source.
    package let attribute: String

    /// The value that names the row.
    package let value: Expression
  }

  /// A property that a step removes.
  package struct DroppedProperty: Hashable, Sendable {
    /// The migration that removes it.
    package let migration: String

    /// The property, in the names that hold before the step.
    package let path: PropertyPath

    /// The source's entity whose rows had it.
    package let source: String?

    /// Where its value came from, leaf by leaf.
    package let leaves: [DroppedLeaf]
  }

  /// The value, or a part of the value, of a property that a step removes.
  package struct DroppedLeaf: Hashable, Sendable {
    /// Where the value came from.
    package let expression: Expression

    /// When it says nothing, so that nothing is lost with it.
    package let silence: Silence
  }

  /// A relationship that a step removes.
  package struct DroppedRelationship: Hashable, Sendable {
    /// The migration that removes it.
    package let migration: String

    /// The relationship, in the names that hold before the step.
    package let path: PropertyPath

    /// The source's entity that declares it.
    package let source: String

    /// The source's name of it.
    package let name: String

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(path)" }
  }

  /// An entity that a step removes.
  package struct DroppedEntity: Hashable, Sendable {
    /// The migration that removes it.
    package let migration: String

    /// The entity, in the name that holds before the step.
    package let name: String

    /// The source's entity whose rows it had.
    package let source: String?
  }

  /// A step with the source's entity that it is about.
  package struct TracedStep: Hashable, Sendable {
    /// The migration's name.
    package let migration: String

    /// The step.
    package let step: Step

    /// The source's entity whose rows the step changes; none where there are no rows.
    package let source: String?
  }

  /// The entities of the target, by name.
  package internal(set) var entities: [String: EntityLineage]

  /// The properties removed on the way, in order.
  package internal(set) var droppedProperties: [DroppedProperty] = []

  /// The relationships removed on the way, in order.
  package internal(set) var droppedRelationships: [DroppedRelationship] = []

  /// The entities removed on the way, in order.
  package internal(set) var droppedEntities: [DroppedEntity] = []

  /// The steps on the way, in order.
  package internal(set) var steps: [TracedStep] = []

  /// Makes the lineage in which everything comes from itself.
  package init(identityOf model: Model) {
    entities = Dictionary(
      model.entities.map { ($0.name, EntityLineage(identityOf: $0)) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Lineage.EntityLineage {
  package init(identityOf entity: Entity) {
    source = entity.name
    let paths = entity.attributes.filter { !$0.isTransient }.flatMap(\.leaves).map(\.cellName)
    cells = Dictionary(
      paths.map { ($0, .cell(entity: entity.name, path: $0)) },
      uniquingKeysWith: { first, _ in first })
    relationships = Dictionary(
      entity.relationships.filter { !$0.isTransient }.map {
        ($0.name, .init(source: .init(name: $0.name, destination: $0.destinationName)))
      }, uniquingKeysWith: { first, _ in first })
    types = entity.leafTypes
  }

  /// The leaves of an attribute, in a fixed order.
  package func paths(of property: String) -> [String] {
    cells.keys.filter { $0 == property || $0.hasPrefix(property + ".") }.sorted()
  }
}

extension Entity {
  /// The type of each leaf.
  var leafTypes: [String: AttributeType] {
    Dictionary(
      attributes.filter { !$0.isTransient }.flatMap(\.leaves).map {
        ($0.cellName, $0.attribute.type)
      }, uniquingKeysWith: { first, _ in first })
  }
}
