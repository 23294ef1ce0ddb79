package import SQLite
package import StoreFormat
package import Migrations

/// How the rows of one table of the target are made from the rows of one table of the source.
///
/// The columns of the source that are needed stand in ``sourceColumns``; cells refer to them by
/// place.
package struct RowProgram: Hashable, Sendable {
  /// Where the value of one column of the target comes from.
  package indirect enum Cell: Hashable, Sendable {
    /// The value in a column of the source, to the bit.
    case column(Int)

    /// The same value for every row.
    case constant(Value)

    /// The number of the row's entity, in the target's numbering.
    case entityNumber(Int)

    /// A number for rows that have a value in a column of the source, nothing for the others.
    case constantWherePresent(Value, Int)

    /// One of the values that a conversion of the row makes.
    ///
    /// By their places in ``RowProgram/conversions`` and among the conversion's outputs.
    case converted(Int, output: Int)

    /// One value where a condition holds of a test, another elsewhere.
    case conditional(Condition, test: Cell, then: Cell, otherwise: Cell)

    /// An option that the user hasn't given.
    case missingOption(MigrationOption)
  }

  /// A condition on a value.
  package enum Condition: Hashable, Sendable {
    case null
    case zero
    case empty

    /// The value is a default, or a column of the source says that other rows have it too.
    case placeholder(Value?, sharedFlag: Int?)
  }

  /// A property whose values have no place in the target.
  package struct Drop: Hashable, Sendable {
    /// The step's name, as `--accept-data-loss` takes it: `V9-V10:SDUserProfileV9.bio`.
    package let step: String

    /// The property, as plans name it.
    package let object: String

    /// Where the parts of its values come from.
    package let parts: [Part]

    /// The source's numbers of the entities that have the property.
    package let entityNumbers: Set<Int64>

    /// A value, or a part of one.
    package struct Part: Hashable, Sendable {
      /// Where it comes from.
      package let cell: Cell

      /// When it says nothing.
      package let silence: Silence
    }
  }

  /// Values of a row that are converted together.
  package struct RowConversion: Hashable, Sendable {
    /// How.
    package let converter: Converter

    /// What the converter reads.
    package let inputs: [Cell]

    /// The column of a payload that is converted as it stands there; none for any other conversion.
    package var payloadColumn: Int? {
      guard converter == .jsonText, case .column(let column) = inputs[0] else { return nil }
      return column
    }
  }

  /// A column that is read: by its name, or a flag computed beside it.
  package enum SourceColumn: Hashable, Sendable {
    case named(String)

    /// Whether more than one row has this row's value of a column.
    case isShared(String)

    /// The key of the one row of another table that this row's value of a column names.
    case matchingKey(KeyLookup)
  }

  /// How a row of another table is found by what a column of this one says.
  package struct KeyLookup: Hashable, Sendable {
    /// The column whose value names the row.
    package let column: String

    /// The column with the key of the row that this one is linked to; none where no link is kept.
    package let link: String?

    /// The table of the row.
    package let table: String

    /// The column that has the name.
    package let nameColumn: String

    /// The numbers of the entities whose rows count.
    package let entityNumbers: [Int64]

    /// A Boolean value indicating whether the name is a UUID, which the column spells as a text.
    package let isUUID: Bool
  }

  /// The entity whose name stands for the table in messages: the root, in the source's names.
  package let sourceEntity: String

  /// The table that is read.
  package let sourceTable: String

  /// The columns that are read, in order; the first three are `Z_PK`, `Z_ENT`, `Z_OPT`.
  package let sourceColumns: [SourceColumn]

  /// What the columns hold, in the model's words.
  package let sourceProperties: [String]

  /// The table that is written.
  package let table: Table

  /// Where each column of the target's table comes from, in the table's order.
  package let cells: [Cell]

  /// The conversions that cells refer to by place, each made at most once for a row.
  package let conversions: [RowConversion]

  /// The target's number of each of the source's entity numbers; rows of others aren't carried.
  package let entityNumbers: [Int64: Int64]

  /// The target's number of each of the source's entity numbers, of all tables: what links lead to.
  package let linkedNumbers: [Int64: Int64]

  /// A Boolean value indicating whether every row of the source's table is carried.
  package let carriesAllRows: Bool

  /// The properties of this table whose values have no place in the target.
  package let drops: [Drop]
}

/// How the rows of one join table of the target are made.
package struct JoinProgram: Hashable, Sendable {
  /// The table that is written.
  package let table: JoinTable

  /// The table that is read; none for a relationship that is new.
  package let sourceTable: String?

  /// The columns that are read, in the order of the target's columns; none for a constant NULL.
  package let sourceColumns: [String?]

  package init(table: JoinTable, sourceTable: String?, sourceColumns: [String?]) {
    self.table = table
    self.sourceTable = sourceTable
    self.sourceColumns = sourceColumns
  }
}

/// What happens to one table.
package enum TableAction: Hashable, Sendable {
  /// The table and its indexes are carried as they are, record by record.
  case carry(name: String)

  /// The table is made anew, without rows.
  case create(Table)

  /// The rows are read, changed and written.
  case rewrite(RowProgram)

  /// The rows of a join table are written under their new names.
  case rejoin(JoinProgram)
}

extension TableAction {
  package var sourceTable: String? {
    switch self {
    case .carry(let name): name
    case .create: nil
    case .rewrite(let program): program.sourceTable
    case .rejoin(let program): program.sourceTable
    }
  }
}

/// Everything that leads from one store to another, settled before a row is read.
///
/// # Invariants
///
/// 1. Each table of the target is made by exactly one action.
/// 2. Each table of the source is read by at most one action.
package struct StoreProgram: Hashable, Sendable {
  /// The rows of a join table that have no place in the target.
  package struct DroppedLinks: Hashable, Sendable {
    /// The step's name, as `--accept-data-loss` takes it.
    package let step: String

    /// The relationship, as plans name it.
    package let object: String

    /// The join table.
    package let table: String
  }

  /// The model the store is at.
  package let sourceLayout: StoreLayout

  /// The model it will be at.
  package let targetLayout: StoreLayout

  /// What happens to each table, in the order of the target.
  package let actions: [TableAction]

  /// The target's number of each of the source's entity numbers.
  package let entityNumbers: [Int64: Int64]

  /// The source's numbers of entities that the target doesn't have: their history goes with them.
  package let droppedEntities: Set<Int64>

  /// The target's numbers of entities whose properties changed.
  ///
  /// The update masks of their history lose their meaning.
  package let changedEntities: Set<Int64>

  /// The links in join tables that have no place in the target.
  package let droppedLinks: [DroppedLinks]

  /// The tables of the source that no entity of the target carries on.
  package let droppedTables: [String]

  /// How the rows of the outbox are written.
  package let rows: MigrationRequest.Rows
}

extension StoreProgram {
  /// The programs of the tables that are rewritten.
  package var rewrites: [RowProgram] {
    actions.compactMap { if case .rewrite(let program) = $0 { program } else { nil } }
  }
}
