package import SQLite
package import StoreFormat
package import Migrations

/// How the rows of one table of the target are computed from the rows of one table of the source.
///
/// Cells refer to the columns that are read by their index in ``sourceColumns``.
package struct RowProgram: Hashable, Sendable {
  /// The origin of the value of one column of the target.
  package indirect enum Cell: Hashable, Sendable {
    /// The value in a column of the source, bit for bit.
    case column(Int)

    /// The same value for every row.
    case constant(Value)

    /// The number of the row's entity, in the target's numbering.
    case entityNumber(Int)

    /// A constant for rows that have a value in a column of the source, NULL for other rows.
    case constantWherePresent(Value, Int)

    /// One output of a conversion.
    ///
    /// The values are the index in ``RowProgram/conversions`` and the index of the output.
    case converted(Int, output: Int)

    /// One value if the test meets a condition, else another.
    case conditional(Condition, test: Cell, then: Cell, otherwise: Cell)

    /// An option that the user hasn't given.
    case missingOption(MigrationOption)
  }

  /// A condition on a value.
  package enum Condition: Hashable, Sendable {
    case null
    case zero
    case empty

    /// The value is missing, is the default, or a column of the source flags it as shared.
    case placeholder(Value?, sharedFlag: Int?)
  }

  /// A property that is dropped, or converted by a converter that may lose values.
  package struct Drop: Hashable, Sendable {
    /// The step's name, as `--accept-data-loss` takes it: `V9-V10:SDUserProfileV9.bio`.
    package let step: String

    /// The property, as plans name it.
    package let object: String

    /// The origins of the parts of its values.
    package let parts: [Part]

    /// The source's numbers of the entities that have the property.
    package let entityNumbers: Set<Int64>

    /// A value, or a part of one.
    package struct Part: Hashable, Sendable {
      /// The origin of the value.
      package let cell: Cell

      /// Which values are insignificant, so that dropping them isn't a loss.
      package let insignificantValues: InsignificantValues

      /// The conversion that replaces the value; `nil` if the value is dropped.
      package let replacement: Replacement?

      /// What the inverse of the migration makes of the row; `nil` if nothing restores the value.
      package let restoration: Cell?
    }

    /// A place among the inputs of a conversion.
    package struct Replacement: Hashable, Sendable {
      /// The index of the conversion.
      package let conversion: Int

      /// The index of the value among its inputs.
      package let input: Int
    }
  }

  /// Values of a row that are converted together.
  package struct RowConversion: Hashable, Sendable {
    /// The converter.
    package let converter: Converter

    /// The cells that the converter reads.
    package let inputs: [Cell]

    /// The column of a payload that is converted directly; `nil` for any other conversion.
    package var payloadColumn: Int? {
      guard converter == .jsonText, case .column(let column) = inputs[0] else { return nil }
      return column
    }
  }

  /// A column of the query: one of the table, or a computed one.
  package enum SourceColumn: Hashable, Sendable {
    case named(String)

    /// Whether more than one row has this row's value of a column.
    case isShared(String)

    /// The key of the row of another table that this row's value of a column names.
    case matchingKey(KeyLookup)

    /// The result of a formula.
    case computed(ComputedColumn)

    /// A value from a temporary table, which depends on other rows.
    case derived(DerivedColumn)

    /// 1 for a row with one of these entity numbers, NULL for other rows.
    case isOf(entityNumbers: [Int64])
  }

  /// Finds a row of another table by its name, which a column of this table holds.
  package struct KeyLookup: Hashable, Sendable {
    /// The column whose value names the row.
    package let column: String

    /// The column with the key of the row that this one is linked to; `nil` if no link is kept.
    package let link: String?

    /// The table of the row.
    package let table: String

    /// The column of that table with the name.
    package let nameColumn: String

    /// The numbers of the entities whose rows are searched.
    package let entityNumbers: [Int64]

    /// Whether the name is a UUID, which this table's column holds as text.
    package let isUUID: Bool

    /// Whether rows of that table are removed; those aren't found.
    let losesRows: Bool
  }

  /// The entity that stands for the table in messages: the root, by its name in the source.
  package let sourceEntity: String

  /// The table that is read.
  package let sourceTable: String

  /// The columns that are read, in order; the first three are `Z_PK`, `Z_ENT`, `Z_OPT`.
  package let sourceColumns: [SourceColumn]

  /// The properties in the columns, by their names in the model.
  package let sourceProperties: [String]

  /// The table that is written.
  package let table: Table

  /// The origin of each column of the target's table, in the table's order.
  package let cells: [Cell]

  /// The conversions that cells refer to by index; each is computed at most once per row.
  package let conversions: [RowConversion]

  /// The target's number for each of the table's entity numbers; other rows aren't written.
  package let entityNumbers: [Int64: Int64]

  /// The target's number for each of the source's entity numbers, of all tables: for links.
  package let linkedNumbers: [Int64: Int64]

  /// Whether the rows of all entities of the source's table are written to the target.
  let carriesAllEntities: Bool

  /// The rows that steps remove one by one, if this table's rows or links depend on them.
  package let removals: RowRemovals?

  /// The dropped properties of this table.
  package let drops: [Drop]

  /// How the rows are made of those of another entity; `nil` if they are the source's rows.
  package var split: SplitRows?
}

/// How the rows of one join table of the target are written.
package struct JoinProgram: Hashable, Sendable {
  /// The table that is written.
  package let table: JoinTable

  /// The table that is read; `nil` for a new relationship.
  package let sourceTable: String?

  /// The columns that are read, in the order of the target's columns; `nil` for a constant NULL.
  package let sourceColumns: [String?]

  /// Where links to removed rows lead; `nil` if the table has none.
  package let moved: MovedLinks?

  /// The links, if the source has them elsewhere; else `nil`.
  package private(set) var relinked: RelinkedJoin?

  package init(
    table: JoinTable, sourceTable: String?, sourceColumns: [String?], moved: MovedLinks? = nil
  ) {
    self.table = table
    self.sourceTable = sourceTable
    self.sourceColumns = sourceColumns
    self.moved = moved
  }

  init(table: JoinTable, relinked: RelinkedJoin) {
    self.init(table: table, sourceTable: nil, sourceColumns: table.columnNames.map { _ in nil })
    self.relinked = relinked
  }
}

/// The actions that turn one store into another, determined before a row is read.
///
/// # Invariants
///
/// 1. Each table of the target is written by exactly one action.
/// 2. Each table of the source is read by at most one action, and by those that split its rows.
package struct StoreProgram: Hashable, Sendable {
  /// The layout of the old store.
  package let sourceLayout: StoreLayout

  /// The layout of the new store.
  package let targetLayout: StoreLayout

  /// The action for each table, in the order of the target.
  package let actions: [TableAction]

  /// The target's number for each of the source's entity numbers.
  package let entityNumbers: [Int64: Int64]

  /// The source's numbers of entities that the target doesn't have; their history is deleted.
  package let droppedEntities: Set<Int64>

  /// The target's numbers of entities whose properties changed.
  ///
  /// The update masks in their history lose their meaning.
  package let changedEntities: Set<Int64>

  /// The links that are lost as rows of join tables, and the lost orders.
  package let lostLinks: [LostLinks]

  /// The rows that steps remove one by one; `nil` if no step does.
  package let removals: RowRemovals?

  /// The links that are stored in another way afterwards.
  package let relinked: [RelinkedLinks]

  /// The rows that steps make of rows of other entities.
  package let splits: [SplitRows]

  /// The rows that steps remove by copying their values to the rows that link to them.
  package let inlines: [InlinedRows]

  /// What formulas determine, for the proof.
  package let claims: [FormulaClaim]

  /// The tables of the source that no action reads.
  package let droppedTables: [String]

  /// The form in which the rows of the outbox are written.
  package let rows: MigrationRequest.Rows
}
