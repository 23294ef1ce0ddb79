import SQLite
import StoreFormat
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

extension PlanFile {
  /// Throws if another version of the tool created the plan, or if the plan was edited.
  ///
  /// Another version of the tool might do something else for the same plan.
  func checkTool() throws(RequestError) {
    guard tool == Self.tool else { throw .stalePlan([.tool(tool)]) }
    guard seal == contentSeal else { throw .stalePlan([.edited]) }
  }

  /// The name of this tool in plan files, with its version.
  static var tool: String { "outbox-migrate \(toolVersion)" }

  /// Throws if the store isn't at the version that the plan starts from.
  func check(_ version: ModelVersion) throws(RequestError) {
    guard version.app == plan.app, version.name == plan.from else {
      throw .stalePlan([
        .version(
          found: "\(version.app) \(version.name)", planned: "\(plan.app) \(plan.from)")
      ])
    }
  }

  /// Throws if the migrations or schemas of the route changed.
  func check(_ route: Route, in catalog: Catalog) throws(RequestError) {
    let moves = PlanSources(route, in: catalog).moves(since: sources)
    guard moves.isEmpty else { throw .stalePlan(moves) }
  }

  /// Throws if the rows that the plan was created from changed.
  func check(
    _ inputs: [PlanInput], _ numbering: EntityNumbering, _ connection: borrowing Connection
  ) throws {
    // The migrations and schemas are unchanged, so the tables differ only in an edited plan.
    guard Set(inputs.map(\.table)) == Set(data.keys) else {
      throw RequestError.stalePlan([.numbers])
    }
    var moves: [PlanMove] = []
    for input in inputs {
      guard let old = data[input.table] else { continue }
      moves += input.moves(
        from: old, to: try input.sketch(connection), numbering)
    }
    guard moves.isEmpty else { throw RequestError.stalePlan(moves) }
  }

  /// Throws if a run's counts aren't those of the plan.
  func check(
    rowsWritten: Int64, _ delivery: DeliveryCounts?, _ conversions: [PlannedConversion],
    _ losses: [PlannedLoss]
  ) throws(RequestError) {
    guard rowsWritten == plan.rowsWritten, delivery == nil || delivery == plan.delivery,
      conversions == plan.conversions, losses == plan.losses
    else { throw .stalePlan([.numbers]) }
  }
}

extension PlanInput {
  /// Returns the changes between two sketches of the table, by entity.
  fileprivate func moves(
    from old: RowSketch, to new: RowSketch, _ numbering: EntityNumbering
  ) -> [PlanMove] {
    guard let difference = new.difference(from: old) else {
      return [.manyRows(entity: name(of: 0, numbering), before: old.rows, after: new.rows)]
    }
    let (added, removed) = (difference.onlyHere, difference.onlyThere)
    let entities = Set((added.union(removed)).map(\.entity)).sorted()
    return entities.map { entity in
      let before = Set(removed.filter { $0.entity == entity }.map(\.key))
      let after = Set(added.filter { $0.entity == entity }.map(\.key))
      return .rows(
        EntityChange(
          entity: name(of: entity, numbering), added: Int64(after.subtracting(before).count),
          changed: Int64(after.intersection(before).count),
          removed: Int64(before.subtracting(after).count)))
    }
  }

  private func name(of number: UInt32, _ numbering: EntityNumbering) -> String {
    switch kind {
    case .rows(let root): numbering.name(of: Int(number)) ?? root
    case .links(let name): name
    }
  }
}
