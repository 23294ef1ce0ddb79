import SQLite
import StoreFormat
import StoreModel

/// A mandatory attribute in the column of a table.
private struct MandatoryColumn {
  let column: Column

  /// The name in findings and options: `Entity.attribute` or `Entity.attribute.leaf`.
  let name: String
  let entity: String
  let attribute: Attribute
  let leaf: Attribute
}

extension Mending {
  /// Fills mandatory attributes: with what the user named, or in created columns with the default.
  ///
  /// Optional attributes stay without a value: what they had isn't known.
  ///
  /// - Throws: ``RepairError/valuesNeeded(_:attributes:)`` if rows have no value in a created column.
  mutating func fillValues(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws {
    var rest = try distinctFills()
    var needed: [String] = []
    for table in layout.tables {
      for column in mandatoryColumns(of: table) {
        let fill = rest.removeValue(forKey: column.name)
        let isCreated = created[table.name]?.contains(column.column.name) == true
        guard fill != nil || isCreated else { continue }
        let isOfEntity = layout.numbering.condition(below: column.entity)
        let isEmpty = "\(quoteIdentifier(column.column.name)) IS NULL AND \(isOfEntity)"
        let (count, keys) = try connection.found(in: table.name, where: isEmpty)
        let given = try fill.map { try FillValue.stored($0, as: column.leaf) }
        guard count > 0 else { continue }
        if given != nil, count > 1, isUnique(column) {
          throw RepairError.uniqueAttribute(column.name, rows: count)
        }
        guard let value = given ?? column.attribute.storedDefault(of: column.leaf), !value.isNull
        else {
          needed.append(column.name)
          continue
        }
        try set(column, of: table, to: value, where: isEmpty, isGiven: fill != nil, connection)
        if !isCreated { account.noteChange(table.name, column.column.name, count) }
        account.add(
          .values, column.name, count: count, keys: keys,
          "'\(column.name)' of \(counted(count, "row", "rows")) set to the "
            + (fill == nil ? "default value" : "given value"))
      }
    }
    if let name = rest.keys.sorted().first { throw RepairError.noAttribute(name) }
    if !needed.isEmpty { throw RepairError.valuesNeeded(path, attributes: needed) }
  }

  /// The given values by attribute.
  private func distinctFills() throws(RepairError) -> [String: RepairOptions.Fill] {
    var found: [String: RepairOptions.Fill] = [:]
    for fill in fills where found.updateValue(fill, forKey: fill.attribute) != nil {
      throw .doubledAttribute(fill.attribute)
    }
    return found
  }

  private func set(
    _ column: MandatoryColumn, of table: Table, to value: Value, where condition: String,
    isGiven: Bool, _ connection: borrowing Connection
  ) throws {
    do throws(SQLiteError) {
      try connection.execute(
        """
        UPDATE \(quoteIdentifier(table.name)) \
        SET \(quoteIdentifier(column.column.name)) = ?1 WHERE \(condition)
        """, [value])
    } catch {
      guard error.isConstraint, isGiven else { throw error }
      throw RepairError.takenValue(attribute: column.name)
    }
  }

  /// Whether a uniqueness constraint is about nothing but an attribute.
  private func isUnique(_ column: MandatoryColumn) -> Bool {
    model.entities.contains { entity in
      model.inherits(entity.name, from: column.entity)
        && entity.uniquenessConstraints.contains([column.attribute.name])
    }
  }

  private func mandatoryColumns(of table: Table) -> [MandatoryColumn] {
    table.columns.compactMap { column in
      guard case .attribute(let entity, let path, _) = column.content,
        model.isMandatory(path, of: entity), let name = path.first,
        case .attribute(let attribute) = model[entity]?[name],
        let leaf = attribute.leaves.first(where: { $0.path == path })
      else { return nil }
      return MandatoryColumn(
        column: column, name: "\(entity).\(path.joined(separator: "."))", entity: entity,
        attribute: attribute, leaf: leaf.attribute)
    }
  }
}
