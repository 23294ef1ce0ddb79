import SQLite
import StoreFormat
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

extension PlanFile {
  /// What another version of the tool makes of a plan is another plan, and so is one that was edited.
  func checkTool() throws(RequestError) {
    guard tool == Self.tool else { throw .stalePlan([.tool(tool)]) }
    guard seal == contentSeal else { throw .stalePlan([.edited]) }
  }

  /// The name by which plans know this tool.
  static var tool: String { "outbox-migrate \(toolVersion)" }

  /// The store must be where the plan starts.
  func check(_ version: ModelVersion) throws(RequestError) {
    guard version.app == plan.app, version.name == plan.from else {
      throw .stalePlan([
        .version(
          found: "\(version.app) \(version.name)", planned: "\(plan.app) \(plan.from)")
      ])
    }
  }

  /// The files on the way must be the same.
  func check(_ route: Route, in catalog: Catalog) throws(RequestError) {
    let moves = PlanSources(route, in: catalog).moves(since: sources)
    guard moves.isEmpty else { throw .stalePlan(moves) }
  }

  /// The rows must be the same.
  func check(
    _ program: StoreProgram, readsOwner: Bool, _ connection: borrowing Connection
  ) throws {
    let inputs = program.inputs(readsOwner: readsOwner)
    // The files on the way are the same, so these are too, unless the plan was edited.
    guard Set(inputs.map(\.table)) == Set(data.keys) else {
      throw RequestError.stalePlan([.numbers])
    }
    var moves: [PlanMove] = []
    for input in inputs {
      guard let old = data[input.table] else { continue }
      moves += input.moves(
        from: old, to: try input.sketch(connection), program.sourceLayout.numbering)
    }
    guard moves.isEmpty else { throw RequestError.stalePlan(moves) }
  }

  /// What was done must be what was planned.
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
  /// What became of the rows of the table, by entity.
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
