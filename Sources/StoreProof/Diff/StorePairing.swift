package import StoreFormat
package import StoreModel
import Migrations
import RowRewriting
import OutboxConversion

/// What is compared with what in two stores, settled before a row is read.
///
/// # Invariants
///
/// 1. Every row of each store belongs to exactly one of the passes.
/// 2. Where the rows of a table go to one table of the other store, one pass reads the table; all
///    tables do, unless an entity moved from one inheritance tree to another.
package struct StorePairing {
  /// A store with what follows from its model.
  package struct Side {
    /// The path of the store, as it was typed.
    package let path: String
    package let model: Model
    package let layout: StoreLayout

    package init(path: String, model: Model, store: StoreDescription) {
      self.path = path
      self.model = model
      layout = StoreLayout(model, joinTableNames: store.tableNames)
    }
  }

  package let a: Side
  package let b: Side

  /// The entities, in the order of reports.
  let entities: [EntityPairing]

  /// The place of each entity among ``entities``, by the numbers of the first store.
  let placesOfA: [Int64: Int]

  /// The place of each entity among ``entities``, by the numbers of the second store.
  let placesOfB: [Int64: Int]

  let passes: [TablePass]
  let joins: [JoinPass]

  package init(a: Side, b: Side, way: ModelPairing.Way?) {
    self.a = a
    self.b = b
    let models = ModelPairing(a: a.model, b: b.model, way: way)
    entities = Self.entities(a, b, models)
    placesOfA = Self.places(entities.map { $0.a?.entity }, a)
    placesOfB = Self.places(entities.map { $0.b?.entity }, b)
    passes = TablePass.all(a: a, b: b, models)
    joins = JoinPass.all(a: a, b: b, models)
  }

  private static func entities(_ a: Side, _ b: Side, _ models: ModelPairing) -> [EntityPairing] {
    let first = a.model.entities.map { entity -> EntityPairing in
      let shape = RowShape(entity.name, model: a.model, layout: a.layout)
      guard let partner = models.partner(ofA: entity.name) else {
        return EntityPairing(a: shape, b: nil)
      }
      return EntityPairing(
        a: shape, b: RowShape(partner, model: b.model, layout: b.layout), models: models)
    }
    let rest = b.model.entities.filter { models.partner(ofB: $0.name) == nil }
    return first
      + rest.map {
        EntityPairing(a: nil, b: RowShape($0.name, model: b.model, layout: b.layout))
      }
  }

  private static func places(_ names: [String?], _ side: Side) -> [Int64: Int] {
    var places: [Int64: Int] = [:]
    for (place, name) in names.enumerated() {
      if let number = name.flatMap(side.layout.numbering.number(of:)) {
        places[Int64(number)] = place
      }
    }
    return places
  }
}
