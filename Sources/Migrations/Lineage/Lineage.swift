package import StoreModel

/// The origin of every value of one model in terms of another: a chain of migrations, combined.
///
/// A lineage starts as the identity on the source's model. Each migration rewrites it. At the end,
/// every property of the target is one expression over one row of the source, however many versions
/// are between.
package struct Lineage: Hashable, Sendable {
  /// The lineage of one entity of the target.
  package struct EntityLineage: Hashable, Sendable {
    /// The source's entity whose rows these are; `nil` for an entity without rows.
    package var source: String?

    /// The origin of each attribute; a composite's leaf is `attribute.leaf`.
    package var cells: [String: Expression]

    /// The type of each attribute's values, if the steps determine it.
    package var types: [String: StoredType] = [:]

    /// The origin of each relationship.
    package var relationships: [String: RelationshipLineage]

    /// How a step makes the rows of those of another entity; `nil` if none does.
    package var split: Split?

    /// The formulas of the present migration that give removed attributes back.
    var inverses: [String: Formula] = [:]
  }

  /// The lineage of one relationship of the target.
  package struct RelationshipLineage: Hashable, Sendable {
    /// A relationship of the source.
    package struct Source: Hashable, Sendable {
      /// The relationship's name.
      package let name: String

      /// The source's entity that the relationship leads to.
      package let destination: String?
    }

    /// The source's relationship; `nil` if the relationship is new.
    package var source: Source?

    /// How to find the rows for links that the source doesn't have.
    package var match: Match?

    /// The step that makes the links; `nil` if none does.
    package var made: MadeLink?

    /// The name before the present migration; `nil` if that adds the relationship.
    var before: String?

    /// What the present migration does to the number of links; `nil` if nothing.
    var relinking: Relinking?

    /// Whether the links are stored in another way than in the source.
    var isRelinked = false
  }

  /// Finds the row that a link leads to by the value of an attribute.
  package struct Match: Hashable, Sendable {
    /// The source's entity whose rows are searched.
    package let entity: String

    /// The entity's attribute, in the source.
    package let attribute: String

    /// The value to find.
    package let value: Expression
  }

  /// A property that a step removes.
  package struct DroppedProperty: Hashable, Sendable {
    /// The migration that removes it.
    package let migration: String

    /// The property, by its names before the step.
    package let path: PropertyPath

    /// The source's entity whose rows have the property; `nil` for an entity without rows.
    package let source: String?

    /// The origin of the value, leaf by leaf.
    package let leaves: [DroppedLeaf]
  }

  /// The value, or a part of the value, of a property that a step removes.
  package struct DroppedLeaf: Hashable, Sendable {
    /// The origin of the value.
    package let expression: Expression

    /// Which values are insignificant, so that dropping them isn't a loss.
    package let insignificantValues: InsignificantValues

    /// What the inverse of the migration makes of the row's new values; `nil` if nothing does.
    package let restoration: Expression?
  }

  /// A property that a step replaces by values which may not restore it.
  package struct ConvertedProperty: Hashable, Sendable {
    /// The migration that converts it.
    package let migration: String

    /// The property, by its names before the step.
    package let path: PropertyPath

    /// The source's entity whose rows have the property; `nil` for an entity without rows.
    package let source: String?

    /// The first output of the conversion.
    package let conversion: Expression

    /// The index of the property among the conversion's inputs.
    package let input: Int
  }

  /// A relationship that a step removes.
  package struct DroppedRelationship: Hashable, Sendable {
    /// The migration that removes it.
    package let migration: String

    /// The relationship, by its names before the step.
    package let path: PropertyPath

    /// The source's entity that declares the relationship.
    package let source: String

    /// The relationship's name in the source.
    package let name: String

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(path)" }
  }

  /// An entity that a step removes.
  package struct DroppedEntity: Hashable, Sendable {
    /// The migration that removes it.
    package let migration: String

    /// The entity, by its name before the step.
    package let name: String

    /// The source's entity whose rows it has; `nil` for an entity without rows.
    package let source: String?

    /// The number of the step among those of the migration that remove rows of the entity, from 1.
    var number = 1

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(name)" + (number > 1 ? "#\(number)" : "") }
  }

  /// Rows that a step removes, one by one.
  package struct RemovedRows: Hashable, Sendable {
    /// Which rows a step removes.
    package enum Rule: Hashable, Sendable {
      /// Those for which the formula is true.
      case deleted(Computation)

      /// All but one of those whose values are equal.
      case united(RowUnion, by: [KeyPart], keep: Computation?)

      /// The options that the choice of rows depends on.
      package var options: Set<MigrationOption> {
        switch self {
        case .deleted(let condition): condition.options
        case .united(_, let by, let keep):
          by.reduce(into: keep?.options ?? []) { $0.formUnion($1.options) }
        }
      }
    }

    /// The migration that removes them.
    package let migration: String

    /// The entity, by its name before the step.
    package let name: String

    /// The source's entity of the rows; `nil` for an entity without rows.
    package let source: String?

    /// The index of the step in ``Lineage/steps``.
    package let place: Int
    package let rule: Rule

    /// The number of the step among those of the migration that remove rows of the entity, from 1.
    let number: Int

    /// The step's name, as `--accept-data-loss` takes it.
    package var step: String { "\(migration):\(name)" + (number > 1 ? "#\(number)" : "") }
  }

  /// A step, with the source's entity that it is about.
  package struct TracedStep: Hashable, Sendable {
    /// The migration's name.
    package let migration: String

    /// The step.
    package let step: Step

    /// The source's entity whose rows the step changes; `nil` for an entity without rows.
    package let source: String?

    /// Whether the values before the step can be restored from those after it.
    package let isReversible: Bool
  }

  /// The entities of the target, by name.
  package internal(set) var entities: [String: EntityLineage]

  /// The properties that steps remove, in order.
  package internal(set) var droppedProperties: [DroppedProperty] = []

  /// The properties that steps convert by converters that may lose values, in order.
  package internal(set) var convertedProperties: [ConvertedProperty] = []

  /// The relationships that steps remove, in order.
  package internal(set) var droppedRelationships: [DroppedRelationship] = []

  /// The ordered relationships that a migration makes unordered.
  var unorderedRelationships: [LostOrder] = []

  /// The entities that steps remove, in order.
  package internal(set) var droppedEntities: [DroppedEntity] = []

  /// The rows that steps remove one by one, in order.
  package internal(set) var removedRows: [RemovedRows] = []

  /// The steps that change how many rows relationships lead to, in order.
  package internal(set) var relinks: [Relink] = []

  /// The steps that copy attributes of linked rows, in order.
  package internal(set) var inlines: [Inline] = []

  /// What must hold for the rows, in order.
  package internal(set) var requirements: [Computation] = []

  /// The steps of all migrations, in order.
  package internal(set) var steps: [TracedStep] = []

  /// Creates the identity: every value comes from the same property.
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

  /// Returns the cell names of an attribute's leaves, sorted.
  package func paths(of property: String) -> [String] {
    cells.keys.filter { $0 == property || $0.hasPrefix(property + ".") }.sorted()
  }
}

extension Entity {
  /// The type of each leaf, by cell name.
  var leafTypes: [String: StoredType] {
    Dictionary(
      attributes.filter { !$0.isTransient }.flatMap(\.leaves).map {
        ($0.cellName, StoredType(of: $0.attribute))
      }, uniquingKeysWith: { first, _ in first })
  }
}
