import SQLite
import StoreModel

/// Where every value of one model comes from, in terms of another: a chain of migrations, fused.
///
/// A lineage starts as the identity on the source's model. Each migration rewrites it, so that at
/// the end every property of the target is one expression over one row of the source, however many
/// versions lie between.
public struct Lineage: Hashable, Sendable {
  /// The lineage of one entity of the target.
  public struct EntityLineage: Hashable, Sendable {
    /// The source's entity whose rows these are; none for an entity without rows.
    public var source: String?

    /// Where each attribute comes from; leaves of composites as `attribute.leaf`.
    public var cells: [String: Expression]

    /// The type of each attribute's values, as far as the steps tell.
    var types: [String: AttributeType] = [:]

    /// Where each relationship comes from.
    public var relationships: [String: RelationshipLineage]
  }

  /// The lineage of one relationship of the target.
  public struct RelationshipLineage: Hashable, Sendable {
    /// A relationship of the source.
    public struct Source: Hashable, Sendable {
      /// Its name.
      public let name: String

      /// The source's entity that it leads to.
      public let destination: String?
    }

    /// The source's relationship; none for one that is new.
    public var source: Source?

    /// Where links come from that the source doesn't have.
    public var match: Match?
  }

  /// Finds the row that a link leads to by the value of an attribute.
  public struct Match: Hashable, Sendable {
    /// The source's entity whose rows are looked at.
    public let entity: String

    /// The entity's attribute, in the source.
    public let attribute: String

    /// The value that names the row.
    public let value: Expression
  }

  /// A property that a step removes.
  public struct DroppedProperty: Hashable, Sendable {
    /// The migration that removes it.
    public let migration: String

    /// The property, in the names that hold before the step.
    public let path: PropertyPath

    /// The source's entity whose rows had it.
    public let source: String?

    /// Where its value came from, leaf by leaf.
    public let leaves: [DroppedLeaf]
  }

  /// The value, or a part of the value, of a property that a step removes.
  public struct DroppedLeaf: Hashable, Sendable {
    /// Where the value came from.
    public let expression: Expression

    /// When it says nothing, so that nothing is lost with it.
    public let silence: Silence
  }

  /// A relationship that a step removes.
  public struct DroppedRelationship: Hashable, Sendable {
    /// The migration that removes it.
    public let migration: String

    /// The relationship, in the names that hold before the step.
    public let path: PropertyPath

    /// The source's entity that declares it.
    public let source: String

    /// The source's name of it.
    public let name: String

    /// The step's name, as `--accept-data-loss` takes it.
    public var step: String { "\(migration):\(path)" }
  }

  /// An entity that a step removes.
  public struct DroppedEntity: Hashable, Sendable {
    /// The migration that removes it.
    public let migration: String

    /// The entity, in the name that holds before the step.
    public let name: String

    /// The source's entity whose rows it had.
    public let source: String?
  }

  /// A step with the source's entity that it is about.
  public struct TracedStep: Hashable, Sendable {
    /// The migration's name.
    public let migration: String

    /// The step.
    public let step: Step

    /// The source's entity whose rows the step changes; none where there are no rows.
    public let source: String?
  }

  /// The entities of the target, by name.
  public internal(set) var entities: [String: EntityLineage]

  /// The properties removed on the way, in order.
  public internal(set) var droppedProperties: [DroppedProperty] = []

  /// The relationships removed on the way, in order.
  public internal(set) var droppedRelationships: [DroppedRelationship] = []

  /// The entities removed on the way, in order.
  public internal(set) var droppedEntities: [DroppedEntity] = []

  /// The steps on the way, in order.
  public internal(set) var steps: [TracedStep] = []

  /// Makes the lineage in which everything comes from itself.
  public init(identityOf model: Model) {
    entities = Dictionary(
      model.entities.map { ($0.name, EntityLineage(identityOf: $0)) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Lineage.EntityLineage {
  init(identityOf entity: Entity) {
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
  func paths(of property: String) -> [String] {
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
