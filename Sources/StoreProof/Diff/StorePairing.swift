package import StoreFormat
package import StoreModel

/// The tables, entities and properties to compare in two stores, paired before a row is read.
///
/// # Invariants
///
/// 1. Every row of each store belongs to exactly one of the passes.
/// 2. A single pass reads a table whose entities have their partners in a single table. That is
///    every table, unless an entity moved from one inheritance tree to another.
package struct StorePairing {
  /// A store with its model and layout.
  package struct Side {
    /// The path of the store, as the user typed it.
    package let path: String
    package let model: Model
    let store: StoreDescription
    package let layout: StoreLayout

    package init(path: String, model: Model, store: StoreDescription) {
      self.path = path
      self.model = model
      self.store = store
      layout = store.layout(of: model)
    }
  }

  package let a: Side
  package let b: Side

  /// The entities, in the order of reports.
  let entities: [EntityPairing]

  /// The index of each entity in ``entities``, by its number in the first store.
  let indicesInA: [Int64: Int]

  /// The index of each entity in ``entities``, by its number in the second store.
  let indicesInB: [Int64: Int]

  let passes: [TablePass]
  let joins: [JoinPass]

  /// The keys of the second store's rows; `nil` if all rows are paired by primary key.
  let keys: KeyTranslation?

  /// Pairs two stores.
  ///
  /// - Parameters:
  ///   - a: The first store.
  ///   - b: The second store.
  ///   - way: The migrations between the stores.
  ///   - attributes: The attributes by which rows are paired, as `attribute` or
  ///     `Entity.attribute`; entities without any of them are paired by primary key.
  package init(a: Side, b: Side, way: ModelPairing.Way?, by attributes: [String] = []) {
    self.a = a
    self.b = b
    let models = ModelPairing(a: a.model, b: b.model, way: way)
    let entities = Self.entities(a, b, models).map { $0.keyed(by: attributes) }
    self.entities = entities
    indicesInA = Self.indices(entities.map { $0.a?.entity }, a)
    indicesInB = Self.indices(entities.map { $0.b?.entity }, b)
    passes = TablePass.all(a: a, b: b, models)
    joins = JoinPass.all(a: a, b: b, models)
    let tables = entities.filter { $0.key != nil }
      .compactMap { $0.b.flatMap { b.layout.table(of: $0.entity)?.name } }
    keys = tables.isEmpty ? nil : KeyTranslation(tables: Set(tables), of: b)
  }

  /// Returns the names of all attributes by which rows can be paired, or `nil` if `name` is one.
  package func keyNames(insteadOf name: String) -> [String]? {
    if entities.contains(where: { $0.keyed(by: [name]).key != nil }) { return nil }
    return Set(entities.flatMap(\.keyNames)).sorted()
  }

  private static func entities(_ a: Side, _ b: Side, _ models: ModelPairing) -> [EntityPairing] {
    let first = a.model.entities.map { entity -> EntityPairing in
      let shape = RowShape(entity.name, model: a.model, layout: a.layout)
      guard let partner = models.partner(of: entity.name, in: .a) else {
        return EntityPairing(a: shape, b: nil)
      }
      return EntityPairing(
        a: shape, b: RowShape(partner, model: b.model, layout: b.layout), models: models)
    }
    let rest = b.model.entities.filter { models.partner(of: $0.name, in: .b) == nil }
    return first
      + rest.map {
        EntityPairing(a: nil, b: RowShape($0.name, model: b.model, layout: b.layout))
      }
  }

  private static func indices(_ names: [String?], _ side: Side) -> [Int64: Int] {
    var indices: [Int64: Int] = [:]
    for (index, name) in names.enumerated() {
      if let number = name.flatMap(side.layout.numbering.number(of:)) {
        indices[Int64(number)] = index
      }
    }
    return indices
  }
}
