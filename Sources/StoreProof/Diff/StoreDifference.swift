package import Migrations

/// The differences of two stores, as counts by entity, without values.
package struct StoreDifference: Hashable, Sendable {
  /// One of the two stores.
  package struct Side: Hashable, Sendable {
    /// The path of the store, as the user typed it.
    package let path: String

    /// The version that the store is at.
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

  /// The first store's entities in the order of its model, then those only in the second.
  package let entities: [EntityDifference]

  /// The many-to-many relationships, without duplicates.
  package let relationships: [RelationshipDifference]

  /// Creates the result of a comparison that has read all rows.
  package init(a: Side, b: Side, _ comparison: StoreComparison) {
    self.a = a
    self.b = b
    entities = comparison.entities
    relationships = comparison.relationships
  }

  /// Whether both stores have the same rows, links and values.
  package var isEqual: Bool {
    entities.allSatisfy(\.isEqual) && relationships.allSatisfy(\.isEqual)
  }
}

/// The names of an item in two stores; `nil` for a store that doesn't have the item.
package struct PairedName: Hashable, Sendable {
  /// The name in the first store.
  package let a: String?

  /// The name in the second store.
  package let b: String?

  /// The first store's name, or else the second's.
  package var name: String { a ?? b ?? "" }

  /// The second store's name, if the first store has a different one.
  package var newName: String? { a == nil || a == b ? nil : b }
}

/// The differences in the rows of one entity.
package struct EntityDifference: Hashable, Sendable {
  /// A property that both stores have.
  package struct PairedProperty: Hashable, Sendable {
    /// The names of the property.
    package let name: PairedName

    /// The number of rows of both stores in which the values differ.
    package internal(set) var cellsChanged: Int64 = 0
  }

  /// An attribute or to-one relationship whose values can't be compared one by one.
  package struct UnpairedProperty: Hashable, Sendable {
    /// The names; there are two if the values of one store are those of the other in another form.
    package let name: PairedName

    /// The number of rows of the first store that have a value.
    package internal(set) var valuesInA: Int64 = 0

    /// The number of rows of the second store that have a value.
    package internal(set) var valuesInB: Int64 = 0
  }

  /// The names of the entity.
  package let name: PairedName

  /// The attribute by which rows are paired; `nil` if they are paired by primary key.
  package let pairedBy: PairedName?

  /// The number of rows of this entity whose keys only the first store has.
  package internal(set) var rowsOnlyInA: Int64 = 0

  /// The number of rows of this entity whose keys only the second store has.
  package internal(set) var rowsOnlyInB: Int64 = 0

  /// The number of rows of both stores with at least one changed cell.
  package internal(set) var rowsChanged: Int64 = 0

  /// The number of rows of both stores without a changed cell.
  package internal(set) var rowsEqual: Int64 = 0

  /// The properties that are compared cell by cell, inherited ones included, ordered by name.
  package internal(set) var properties: [PairedProperty]

  /// The properties without an equal partner, by name; empty if only one store has the entity.
  package internal(set) var unpaired: [UnpairedProperty]

  /// The number of cells that differ, in all rows of both stores.
  package var cellsChanged: Int64 { properties.reduce(0) { $0 + $1.cellsChanged } }

  /// Whether neither store has a row or a value that the other doesn't have.
  package var isEqual: Bool {
    rowsOnlyInA == 0 && rowsOnlyInB == 0 && rowsChanged == 0
      && unpaired.allSatisfy { $0.valuesInA == 0 && $0.valuesInB == 0 }
  }

  /// Whether neither store has a row.
  package var isEmpty: Bool { rowsOnlyInA + rowsOnlyInB + rowsChanged + rowsEqual == 0 }
}

/// The differences in the links of a many-to-many relationship.
package struct RelationshipDifference: Hashable, Sendable {
  /// The names of the relationship, as `Entity.relationship`.
  package let name: PairedName

  /// The number of links that only the first store has.
  package internal(set) var linksOnlyInA: Int64 = 0

  /// The number of links that only the second store has.
  package internal(set) var linksOnlyInB: Int64 = 0

  /// The number of links of both stores whose positions in an order differ.
  package internal(set) var linksChanged: Int64 = 0

  /// The number of links that are equal in both stores.
  package internal(set) var linksEqual: Int64 = 0

  /// Whether both stores have the same links.
  package var isEqual: Bool { linksOnlyInA == 0 && linksOnlyInB == 0 && linksChanged == 0 }
}
