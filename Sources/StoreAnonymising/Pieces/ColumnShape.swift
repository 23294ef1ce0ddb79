import StoreFormat
import StoreModel

/// What a column of a store's table contains, and where its values belong.
struct ColumnShape: Hashable, Sendable {
  /// The kind of a column.
  enum Role: Hashable, Sendable {
    /// Keys, numbers of entities, positions and counters of Core Data: up to six digits stay.
    case key

    /// A Boolean attribute.
    case flag

    /// Seconds since 2001-01-01.
    case date

    /// Any other attribute.
    case value

    /// Binary data that may be in a file of its own: the first byte says so (`StoreFormat.md` §13).
    case externalData

    /// The names of entities.
    case name

    /// The property list of the metadata.
    case metadata

    /// The model cache.
    case modelCache
  }

  /// The name of the column.
  let column: String

  /// The attribute or relationship as `Entity.name`, else the table and the column.
  let place: String

  let role: Role
}

/// A table of a store, with the shapes of its columns.
struct TableShape: Hashable, Sendable {
  let name: String
  let columns: [ColumnShape]

  /// The name of the root entity; the table's for others.
  let title: String

  /// Whether it has rows of the app, by key.
  let isOfEntity: Bool

  /// Describes all tables of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - model: Its model.
  /// - Returns: The tables, in the order of the file.
  /// - Complexity: O(*n*) in the number of columns.
  static func all(of store: StoreDescription, model: Model) -> [TableShape] {
    let layout = store.layout(of: model)
    let joins = Set(layout.joinTables.map { $0.name.uppercased() })
    return store.tables.map { table in
      let known = layout.tables.first { $0.name.uppercased() == table.name.uppercased() }
      let columns = table.columns.filter { !$0.isGenerated }.map { column -> ColumnShape in
        if let found = known?.columns.first(where: {
          $0.name.uppercased() == column.name.uppercased()
        }) {
          return found.shape(in: model, table: table.name)
        }
        let role = joins.contains(table.name.uppercased()) ? .key : column.role(in: table)
        return ColumnShape(
          column: column.name, place: "\(table.name).\(column.name)", role: role)
      }
      return TableShape(
        name: table.name, columns: columns, title: known?.rootEntity ?? table.name,
        isOfEntity: known != nil)
    }
  }
}

extension Column {
  /// The shape of a column that the model accounts for.
  fileprivate func shape(in model: Model, table: String) -> ColumnShape {
    switch content {
    case .attribute(let entity, let path, let type):
      let place = "\(entity).\(path.joined(separator: "."))"
      return ColumnShape(
        column: name, place: place, role: role(of: path, entity: entity, type, in: model))
    case .foreignKey(let entity, let relationship), .entityKey(let entity, let relationship),
      .ordering(let entity, let relationship), .inverselessKey(let entity, let relationship),
      .inverselessOrdering(let entity, let relationship):
      return ColumnShape(column: name, place: "\(entity).\(relationship)", role: .key)
    case .primaryKey, .entityNumber, .optimisticLock:
      return ColumnShape(column: name, place: "\(table).\(name)", role: .key)
    }
  }

  private func role(
    of path: [String], entity: String, _ type: AttributeType, in model: Model
  ) -> ColumnShape.Role {
    switch type {
    case .date: return .date
    case .boolean: return .flag
    default:
      guard path.count == 1, case .attribute(let attribute) = model[entity]?[path[0]],
        attribute.allowsExternalStorage
      else { return .value }
      return .externalData
    }
  }
}

extension StoreDescription.ColumnDescription {
  /// The role of a column that no model accounts for.
  fileprivate func role(in table: StoreDescription.TableDescription) -> ColumnShape.Role {
    let name = name.uppercased()
    switch table.name.uppercased() {
    case "Z_METADATA": return name == "Z_PLIST" ? .metadata : name == "Z_UUID" ? .value : .key
    case "Z_MODELCACHE": return .modelCache
    case "Z_PRIMARYKEY": return name == "Z_NAME" ? .name : .key
    default: break
    }
    if declaredType.uppercased() == "TIMESTAMP" || name == "ZTIMESTAMP" { return .date }
    let isOfCoreData =
      HistoryTables.tableNames.contains(table.name.uppercased()) || table.isOfMirroring
    if ["Z_PK", "Z_ENT", "Z_OPT"].contains(name) { return .key }
    return isOfCoreData && declaredType.uppercased() == "INTEGER" ? .key : .value
  }
}
