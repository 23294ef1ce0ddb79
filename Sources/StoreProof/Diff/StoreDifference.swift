package import Migrations

/// How two stores differ, in entity terms: counts, without a value.
package struct StoreDifference: Hashable, Sendable {
  /// One of the two stores.
  package struct Side: Hashable, Sendable {
    /// The path as it was typed.
    package let path: String

    /// Which version the store is at.
    package let recognition: Recognition

    package init(path: String, recognition: Recognition) {
      self.path = path
      self.recognition = recognition
    }
  }

  /// The first store.
  package let a: Side

  /// The second store.
  package let b: Side

  /// The entities: the first store's in the order of its model, then those only in the second.
  package let entities: [EntityDifference]

  /// The many-to-many relationships, each once.
  package let relationships: [RelationshipDifference]

  /// The outcome of a comparison that has read all rows.
  package init(a: Side, b: Side, _ comparison: StoreComparison) {
    self.a = a
    self.b = b
    entities = comparison.entities
    relationships = comparison.relationships
  }

  /// A Boolean value indicating whether each store has what the other has: rows, links, values.
  package var isEqual: Bool {
    entities.allSatisfy(\.isEqual) && relationships.allSatisfy(\.isEqual)
  }
}

/// The names of one thing in two stores; a thing that only one of them has, has one name.
package struct PairedName: Hashable, Sendable {
  /// The name in the first store.
  package let a: String?

  /// The name in the second store.
  package let b: String?

  /// The first store's name, or the second's where the first has no such thing.
  package var name: String { a ?? b ?? "" }

  /// The second store's name, where the first has another.
  package var newName: String? { a == nil || a == b ? nil : b }
}

/// How the rows of one entity differ; rows pair by their primary keys.
package struct EntityDifference: Hashable, Sendable {
  /// A property that both stores have.
  package struct PairedProperty: Hashable, Sendable {
    /// Its names.
    package let name: PairedName

    /// The rows of both stores in which its values differ.
    package internal(set) var cellsChanged: Int64 = 0
  }

  /// An attribute or to-one relationship whose values can't be compared one by one.
  package struct UnpairedProperty: Hashable, Sendable {
    /// Its names: two where the second store's values are the first's in another form, or the reverse.
    package let name: PairedName

    /// The first store's rows that have a value.
    package internal(set) var valuesInA: Int64 = 0

    /// The second store's rows that have a value.
    package internal(set) var valuesInB: Int64 = 0
  }

  /// The entity's names.
  package let name: PairedName

  /// Rows whose keys only the first store has, as rows of this entity.
  package internal(set) var rowsOnlyInA: Int64 = 0

  /// Rows whose keys only the second store has, as rows of this entity.
  package internal(set) var rowsOnlyInB: Int64 = 0

  /// Rows of both stores with at least one changed cell.
  package internal(set) var rowsChanged: Int64 = 0

  /// Rows of both stores without a changed cell.
  package internal(set) var rowsEqual: Int64 = 0

  /// The properties that are compared cell by cell, inherited ones included, ordered by name.
  package internal(set) var properties: [PairedProperty]

  /// The properties without an equal partner, ordered by name; none for an entity without one.
  package internal(set) var unpaired: [UnpairedProperty]

  /// The cells that differ, in all rows of both stores.
  package var cellsChanged: Int64 { properties.reduce(0) { $0 + $1.cellsChanged } }

  /// A Boolean value indicating whether neither store has a row or a value that the other doesn't.
  package var isEqual: Bool {
    rowsOnlyInA == 0 && rowsOnlyInB == 0 && rowsChanged == 0
      && unpaired.allSatisfy { $0.valuesInA == 0 && $0.valuesInB == 0 }
  }

  /// A Boolean value indicating whether neither store has a row.
  package var isEmpty: Bool { rowsOnlyInA + rowsOnlyInB + rowsChanged + rowsEqual == 0 }
}

/// How the links of a many-to-many relationship differ.
package struct RelationshipDifference: Hashable, Sendable {
  /// The relationship's names, as `Entity.relationship`.
  package let name: PairedName

  /// The links that only the first store has.
  package internal(set) var linksOnlyInA: Int64 = 0

  /// The links that only the second store has.
  package internal(set) var linksOnlyInB: Int64 = 0

  /// The links of both stores that have another place in an order.
  package internal(set) var linksChanged: Int64 = 0

  /// The links that are the same in both stores.
  package internal(set) var linksEqual: Int64 = 0

  /// A Boolean value indicating whether both stores have the same links.
  package var isEqual: Bool { linksOnlyInA == 0 && linksOnlyInB == 0 && linksChanged == 0 }
}
