import SQLite
package import StoreModel

/// What a store says of itself: metadata, cached model, entity numbers, tables, indexes.
///
/// Reading it touches no row of the app's own tables. What can't be read is named and doesn't keep
/// the rest from being read.
package struct StoreDescription: Hashable, Sendable {
  /// One table of the file.
  package struct TableDescription: Hashable, Sendable {
    /// The table's name.
    package let name: String

    /// The statement that made it.
    package let sql: String

    /// The columns in order, with their declared types; none are read of a virtual table.
    package internal(set) var columns: [ColumnDescription]

    /// A Boolean value indicating whether an extension of SQLite keeps the rows, such as an R-tree.
    var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL") }
  }

  /// One column of a table.
  package struct ColumnDescription: Hashable, Sendable {
    /// The column's name.
    package let name: String

    /// The declared type, as it was written.
    package let declaredType: String

    /// A Boolean value indicating whether SQLite computes the column.
    package let isGenerated: Bool
  }

  /// One index of the file.
  package struct IndexDescription: Hashable, Sendable {
    /// The index's name.
    package let name: String

    /// The table it is on.
    package let table: String

    /// The columns in order.
    package let columns: [String]

    /// A Boolean value indicating whether no two rows may have the same values.
    package let isUnique: Bool

    /// The statement that made it; none for an index that SQLite made for a constraint.
    package let sql: String?
  }

  /// One row of `Z_PRIMARYKEY`.
  package struct EntityNumber: Hashable, Sendable {
    /// `Z_ENT`.
    package let number: Int64

    /// `Z_NAME`.
    package let name: String

    /// `Z_SUPER`: the number of the super-entity, 0 for a root.
    package let superNumber: Int64

    /// `Z_MAX`: the highest key handed out.
    package let maximumKey: Int64

    package init(number: Int64, name: String, superNumber: Int64, maximumKey: Int64) {
      self.number = number
      self.name = name
      self.superNumber = superNumber
      self.maximumKey = maximumKey
    }
  }

  /// The metadata; none where it can't be read.
  package let metadata: StoreMetadata?

  /// The number of rows of `Z_METADATA`; a store has one.
  package let metadataCount: Int64

  /// The model in the store's cache; none where there is none that can be read.
  package let cachedModel: Model?

  /// The number of rows of `Z_MODELCACHE`; a store has one, and none where it has no such table.
  package let modelCacheCount: Int64

  /// What couldn't be read, by the check it belongs to.
  package let unreadable: [Finding]

  /// What couldn't be read, in words.
  package var problems: [String] { unreadable.map(\.message) }

  /// The entity numbers, in order, history included.
  package let entityNumbers: [EntityNumber]

  /// The tables, in the order in which they were made.
  package let tables: [TableDescription]

  /// The indexes, in the order in which they were made.
  package let indexes: [IndexDescription]

  /// The encoding of texts, as SQLite names it; Core Data's is `UTF-8`.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_encoding>
  package let textEncoding: String

  /// The names of triggers and views.
  ///
  /// No store that Core Data made has any.
  package let triggersAndViews: [String]

  /// The names of tables and indexes whose own statements don't make them in another file.
  let unmakeable: [String]

  /// Returns the table with a name, regardless of case.
  ///
  /// - Complexity: O(n) in the number of tables.
  package func table(named name: String) -> TableDescription? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The entity numbers of the app's own entities, without those of history.
  package var appEntityNumbers: [EntityNumber] {
    entityNumbers.filter { $0.number < HistoryTables.firstNumber }
  }

  /// The names of all tables.
  package var tableNames: Set<String> { Set(tables.map(\.name)) }
}
