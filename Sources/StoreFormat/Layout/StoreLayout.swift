package import StoreModel

/// How Core Data lays a model out in SQLite: numbers, tables, columns, join tables, indexes.
///
/// The layout is computed from the model alone, by the rules of `StoreFormat.md` §4–7.
///
/// # Invariants
///
/// 1. Tables stand in the order of their root entities' numbers.
/// 2. Column names are unique within a table, regardless of case.
/// 3. Every stored property of every entity of a tree has its columns in the tree's one table.
package struct StoreLayout: Hashable, Sendable {
  /// The numbers of the entities.
  package let numbering: EntityNumbering

  /// The entity tables.
  package let tables: [Table]

  /// The join tables of many-to-many relationships.
  package let joinTables: [JoinTable]

  /// The indexes on entity and join tables, in the order in which a fresh store makes them.
  package let indexes: [IndexLayout]

  private let placeByRoot: [String: Int]

  /// Computes the layout of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - joinTableNames: The names of join tables that a store has already. They decide the names for
  ///     many-to-many relationships within one entity, which no rule tells.
  package init(_ model: Model, joinTableNames: Set<String> = []) {
    numbering = EntityNumbering(model)
    let naming = TableNaming(model: model, numbering: numbering)
    tables = numbering.roots.map(naming.table(root:))
    joinTables =
      JoinTableNaming(model: model, numbering: numbering, existing: joinTableNames)
      .joinTables
    indexes =
      IndexNaming(
        model: model, numbering: numbering, tables: tables, joinTables: joinTables
      ).indexes
    placeByRoot = Dictionary(
      tables.enumerated().map { ($1.rootEntity, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the table that holds the rows of an entity.
  package func table(of entity: String) -> Table? {
    numbering.root(of: entity).flatMap { placeByRoot[$0] }.map { tables[$0] }
  }
}
