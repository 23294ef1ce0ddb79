package import StoreModel

/// The SQLite schema that Core Data derives from a model.
///
/// The layout is computed from the model by the rules of `StoreFormat.md` §4–7.
///
/// # Invariants
///
/// 1. Tables are ordered by the numbers of their root entities.
/// 2. Column names are unique in a table, ignoring case.
/// 3. Each stored property of each entity in a tree has its columns in the tree's table.
package struct StoreLayout: Hashable, Sendable {
  /// The numbers of the entities.
  package let numbering: EntityNumbering

  /// The entity tables.
  package let tables: [Table]

  /// The join tables of many-to-many relationships.
  package let joinTables: [JoinTable]

  /// The indexes on entity and join tables, in the order in which a new store creates them.
  package let indexes: [IndexLayout]

  /// The indexes on attributes that a model of an old system marks as indexed.
  ///
  /// Core Data makes them if the model has no fetch index at all (`StoreFormat.md` §7). A store can
  /// do without them.
  package let attributeIndexes: [IndexLayout]

  /// All indexes that a new store gets.
  package var allIndexes: [IndexLayout] { indexes + attributeIndexes }

  private let indexByRoot: [String: Int]

  /// Computes the layout of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - joinTableNames: The names of a store's existing join tables. They determine the names for
  ///     many-to-many relationships within one entity, because the rule for those is unknown.
  package init(_ model: Model, joinTableNames: Set<String> = []) {
    numbering = EntityNumbering(model)
    let naming = TableNaming(model: model, numbering: numbering)
    tables = numbering.roots.map(naming.table(root:))
    joinTables =
      JoinTableNaming(model: model, numbering: numbering, existing: joinTableNames)
      .joinTables
    let indexNaming = IndexNaming(
      model: model, numbering: numbering, tables: tables, joinTables: joinTables)
    indexes = indexNaming.indexes
    attributeIndexes = indexNaming.attributeIndexes
    indexByRoot = Dictionary(
      tables.enumerated().map { ($1.rootEntity, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the table with the rows of an entity, or `nil` for an unknown entity.
  package func table(of entity: String) -> Table? {
    numbering.root(of: entity).flatMap { indexByRoot[$0] }.map { tables[$0] }
  }
}
