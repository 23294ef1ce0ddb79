package import StoreModel

/// A column of an entity table or a join table.
package struct Column: Hashable, Sendable {
  /// The contents of a column.
  package enum Content: Hashable, Sendable {
    /// `Z_PK`, the primary key.
    case primaryKey

    /// `Z_ENT`, the number of the row's entity.
    case entityNumber

    /// `Z_OPT`, a counter that Core Data increments when it saves an update.
    case optimisticLock

    /// An attribute; the path has several names for a leaf of a composite attribute.
    case attribute(entity: String, path: [String], type: AttributeType)

    /// The key of a to-one relationship's destination.
    case foreignKey(entity: String, relationship: String)

    /// The entity number of a to-one destination whose entity has sub-entities.
    case entityKey(entity: String, relationship: String)

    /// The key of the source row in a to-many relationship without an inverse.
    case inverselessKey(source: String, relationship: String)

    /// The position of this row in an ordered to-many relationship.
    case ordering(entity: String, relationship: String)

    /// The position of this row in an ordered to-many relationship without an inverse.
    case inverselessOrdering(source: String, relationship: String)
  }

  /// The name.
  package let name: String

  /// The declared type, as Core Data writes it.
  package let declaredType: String

  /// The contents.
  package let content: Content

  package init(name: String, declaredType: String, content: Content) {
    self.name = name
    self.declaredType = declaredType
    self.content = content
  }
}

extension AttributeType {
  /// The declared type of a column for this type, or `nil` if values have no column.
  ///
  /// See `StoreFormat.md` §5.2. The type for Codable attributes is unknown.
  package var declaredType: String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .binary, .transformable: "BLOB"
    case .undefined, .objectID, .composite, .codable: nil
    }
  }

  /// The group that determines the order of columns in a table; groups are in ascending order.
  ///
  /// See `StoreFormat.md` §5.3. The order of URI, UUID and transformable columns among each other
  /// is likely, but not proven.
  var columnGroup: Int {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: 0
    case .double, .float, .date: 1
    case .decimal: 2
    case .string: 3
    case .uuid, .uri: 4
    case .transformable: 5
    case .binary: 6
    case .undefined, .objectID, .composite, .codable: 7
    }
  }

  /// The number of groups.
  static let columnGroupCount = (allCases.map(\.columnGroup).max() ?? 0) + 1
}

extension Column.Content {
  /// The property of the column, as `property.leaf` for leaves of composites.
  ///
  /// `nil` for the three columns that every table has.
  package var property: String? {
    switch self {
    case .primaryKey, .entityNumber, .optimisticLock: nil
    case .attribute(_, let path, _): path.joined(separator: ".")
    case .foreignKey(_, let name), .entityKey(_, let name), .ordering(_, let name): name
    case .inverselessKey(_, let name), .inverselessOrdering(_, let name): name
    }
  }
}

extension Model {
  /// Returns the relationship of a column with keys, and the entity of the rows that have them.
  ///
  /// - Parameter column: A column of an entity table.
  /// - Returns: The relationship as `Entity.relationship`, and the entity; `nil` for other columns.
  package func link(in column: Column) -> (relationship: String, entity: String)? {
    switch column.content {
    case .foreignKey(let entity, let name):
      relationship(named: name, of: entity).map {
        ("\(entity).\(name)", $0.relationship.destinationName)
      }
    // The key is that of the row that has the relationship (`StoreFormat.md` §6.3).
    case .inverselessKey(let source, let name): ("\(source).\(name)", source)
    case .primaryKey, .entityNumber, .optimisticLock, .attribute, .entityKey, .ordering,
      .inverselessOrdering:
      nil
    }
  }
}
