package import StoreModel

/// The description of a store: metadata, cached model, entity numbers, tables and indexes.
///
/// Reading it doesn't access the app's rows. Parts that can't be read are reported in
/// ``unreadable``.
package struct StoreDescription: Hashable, Sendable {
  /// A table of the file.
  package struct TableDescription: Hashable, Sendable {
    /// The name.
    package let name: String

    /// The `CREATE TABLE` statement.
    package let sql: String

    /// The columns in order; empty for a virtual table.
    package internal(set) var columns: [ColumnDescription]

    /// Whether the table is virtual, such as an R-tree.
    package var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL") }
  }

  /// A column of a table.
  package struct ColumnDescription: Hashable, Sendable {
    /// The name.
    package let name: String

    /// The declared type, as written.
    package let declaredType: String

    /// Whether the column is generated.
    package let isGenerated: Bool
  }

  /// An index of the file.
  package struct IndexDescription: Hashable, Sendable {
    /// The name.
    package let name: String

    /// The name of the table.
    package let table: String

    /// The columns, in index order.
    package let columns: [String]

    /// Whether the index is unique.
    package let isUnique: Bool

    /// The `CREATE INDEX` statement, or `nil` for an automatic index of a constraint.
    package let sql: String?
  }

  /// A trigger of the file.
  package struct TriggerDescription: Hashable, Sendable {
    /// The name.
    package let name: String

    /// The `CREATE TRIGGER` statement.
    package let sql: String
  }

  /// A row of `Z_PRIMARYKEY`.
  package struct EntityNumber: Hashable, Sendable {
    /// `Z_ENT`.
    package let number: Int64

    /// `Z_NAME`.
    package let name: String

    /// `Z_SUPER`: the number of the super-entity, or 0 for a root entity.
    package let superNumber: Int64

    /// `Z_MAX`: the highest key assigned so far.
    package let maximumKey: Int64

    package init(number: Int64, name: String, superNumber: Int64, maximumKey: Int64) {
      self.number = number
      self.name = name
      self.superNumber = superNumber
      self.maximumKey = maximumKey
    }
  }

  /// The metadata, or `nil` if it can't be read.
  package let metadata: StoreMetadata?

  /// The number of rows in `Z_METADATA`; valid stores have one.
  package let metadataCount: Int64

  /// The model in the store's cache, or `nil` if it can't be read.
  ///
  /// A store without a cache can be given its model: see ``supplied(with:called:)``.
  package internal(set) var cachedModel: Model?

  /// The number of rows in `Z_MODELCACHE`; valid stores have one.
  ///
  /// 0 if the table is missing.
  package let modelCacheCount: Int64

  /// The parts that can't be read, by check.
  package internal(set) var unreadable: [Finding]

  /// The parts that can't be read, in words.
  package var problems: [String] { unreadable.map(\.message) }

  /// The rows of `Z_PRIMARYKEY` in order, including history.
  package let entityNumbers: [EntityNumber]

  /// The tables, in order of creation.
  package let tables: [TableDescription]

  /// The indexes, in order of creation.
  package let indexes: [IndexDescription]

  /// The text encoding; Core Data uses `UTF-8`.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_encoding>
  package let textEncoding: String

  /// The triggers, which Core Data creates for derived attributes only.
  package let triggers: [TriggerDescription]

  /// The names of views, which Core Data doesn't create.
  package let views: [String]

  /// The names of tables and indexes whose name or statement isn't UTF-8.
  ///
  /// In the names, U+FFFD replaces what isn't UTF-8.
  let undecodable: [String]

  /// The layout of ``layout(of:)``; copies have the same tables and share it.
  let layouts = LastLayout()

  /// Returns the table with a name, ignoring case, or `nil` if there isn't one.
  ///
  /// - Complexity: O(*n*) in the number of tables.
  package func table(named name: String) -> TableDescription? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The rows of `Z_PRIMARYKEY` for the app's entities, without history.
  package var appEntityNumbers: [EntityNumber] {
    entityNumbers.filter { $0.number < HistoryTables.firstNumber }
  }

  /// The names of the app's entities, as the cached model has them.
  package var entityNames: [String] {
    guard let cachedModel else { return appEntityNumbers.map(\.name) }
    let numbering = EntityNumbering(cachedModel)
    return appEntityNumbers.map { $0.entity(in: cachedModel, numbering) }
  }

  /// The names of all tables.
  package var tableNames: Set<String> { Set(tables.map(\.name)) }
}

extension StoreDescription.EntityNumber {
  /// Returns the name of the row's entity in a model; the row's own name if the model lacks it.
  ///
  /// Core Data leaves the old name of a renamed entity that kept its number (`StoreFormat.md` §3.1).
  /// The model declares only the latest of several old names.
  package func entity(in model: Model, _ numbering: EntityNumbering) -> String {
    guard let present = numbering.name(of: Int(clamping: number)), present != name,
      let old = model[present]?.renamingIdentifier, old == name || model[name] == nil
    else { return name }
    return present
  }
}
