package import StoreModel

/// One column of an entity table or a join table.
package struct Column: Hashable, Sendable {
  /// What a column holds.
  package enum Content: Hashable, Sendable {
    /// `Z_PK`, the row's key.
    case primaryKey

    /// `Z_ENT`, the number of the row's entity.
    case entityNumber

    /// `Z_OPT`, the counter that Core Data raises with every saved update.
    case optimisticLock

    /// The value of an attribute: its path has one name, or more for the leaves of a composite.
    case attribute(entity: String, path: [String], type: AttributeType)

    /// The key of a to-one relationship's destination.
    case foreignKey(entity: String, relationship: String)

    /// The entity number of a to-one relationship's destination that has sub-entities.
    case entityKey(entity: String, relationship: String)

    /// The key of the row that holds this one in a to-many relationship without inverse.
    case inverselessKey(source: String, relationship: String)

    /// The place of this row in an ordered to-many relationship.
    case ordering(entity: String, relationship: String)
  }

  /// The column's name.
  package let name: String

  /// The declared type, as Core Data spells it.
  package let declaredType: String

  /// What the column holds.
  package let content: Content

  package init(name: String, declaredType: String, content: Content) {
    self.name = name
    self.declaredType = declaredType
    self.content = content
  }
}

extension AttributeType {
  /// The declared type of the column that holds a value of this type; none where there is no column.
  ///
  /// See `StoreFormat.md` §5.2. The type of a Codable attribute isn't known.
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

  /// The place of the type's columns among the others of a table: groups in ascending order.
  ///
  /// See `StoreFormat.md` §5.3; the mutual order of URI, UUID and transformable columns is only likely.
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

  /// How many groups there are.
  static let columnGroupCount = (allCases.map(\.columnGroup).max() ?? 0) + 1
}

extension Column.Content {
  /// The property that the column belongs to, leaves of composites as `property.leaf`.
  ///
  /// None for the three that every table has.
  package var property: String? {
    switch self {
    case .primaryKey, .entityNumber, .optimisticLock: nil
    case .attribute(_, let path, _): path.joined(separator: ".")
    case .foreignKey(_, let name), .entityKey(_, let name), .ordering(_, let name): name
    case .inverselessKey(_, let name): name
    }
  }
}
