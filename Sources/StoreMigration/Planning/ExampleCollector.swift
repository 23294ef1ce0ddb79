import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import StoreProof

/// Collects the first row of each kind during a pass over a table.
///
/// Rows come in the order of their keys, so the choice is the same each time. The number of
/// examples depends on the conversions and their classes, not on the number of rows.
struct ExampleCollector {
  private let program: RowProgram
  private let source: StoreLayout
  private let target: StoreLayout
  private let types: [String: AttributeType]
  private let mask: ValueMask

  /// For each conversion, the target's columns that receive its values.
  private let outputs: [[Int]]

  /// The target's columns that a backfill sets under a condition.
  private let fillings: [Filling]

  /// The number of classes of each conversion.
  private let classCounts: [Int]

  private var byConversion: [[String: PlanExample]]
  private var byFilling: [PlanExample?]

  /// For each drop, the target's columns with other values in place of those that are lost.
  private let replacements: [[Int]]

  /// The first row that loses a value, for each drop with replacements.
  private var byDrop: [PlanExample?]

  /// The drops of which no row has lost a value so far.
  private var openDrops: [Int]

  /// A column of the target that keeps the source's value unless a condition holds for it.
  private struct Filling {
    let place: Int
    let condition: RowProgram.Condition
    let test: RowProgram.Cell
  }

  init(_ rows: RowProgram, of store: StoreProgram, _ mask: ValueMask) {
    program = rows
    source = store.sourceLayout
    target = store.targetLayout
    self.mask = mask
    types = Self.types(of: rows.sourceTable, in: store.sourceLayout)
    outputs = rows.conversions.indices.map { conversion in
      rows.cells.indices.filter { rows.conversions(in: rows.cells[$0]).contains(conversion) }
    }
    fillings = Self.fillings(of: rows)
    classCounts = rows.conversions.map(\.converter.classes.count)
    byConversion = rows.conversions.map { _ in [:] }
    byFilling = fillings.map { _ in nil }
    replacements = rows.drops.map { drop in
      rows.cells.indices.filter { rows.replaces(drop, by: rows.cells[$0]) }
    }
    byDrop = rows.drops.map { _ in nil }
    openDrops = replacements.indices.filter { [replacements] in !replacements[$0].isEmpty }
  }

  private static func types(
    of table: String, in layout: StoreLayout
  ) -> [String: AttributeType] {
    var types: [String: AttributeType] = [:]
    for column in layout.tables.first(where: { $0.name == table })?.columns ?? [] {
      if let type = column.attributeType { types[column.name] = type }
    }
    return types
  }

  private static func fillings(of rows: RowProgram) -> [Filling] {
    rows.cells.enumerated().compactMap { place, cell in
      guard case .conditional(let condition, let test, _, _) = cell,
        rows.conversions(in: cell).isEmpty, rows.table.columns[place].attributeType != nil
      else { return nil }
      return Filling(place: place, condition: condition, test: test)
    }
  }

  /// The examples: by conversion in the order of its classes, then the losses and the backfills.
  var examples: [PlanExample] {
    zip(program.conversions, byConversion).flatMap { conversion, found in
      conversion.converter.classes.compactMap { found[$0] }
    } + byDrop.compactMap(\.self) + byFilling.compactMap(\.self)
  }

  /// Adds a row that the evaluator has just read, if it is the first of its kind.
  mutating func look(at row: borrowing Statement, _ evaluator: inout RowEvaluator) throws {
    for place in outputs.indices
    where !outputs[place].isEmpty && byConversion[place].count < classCounts[place] {
      guard let kind = evaluator.kind(ofConversion: place), byConversion[place][kind] == nil else {
        continue
      }
      let inputs = program.conversions[place].inputs.flatMap { program.columns(of: $0) }
      let example = try example(kind, from: inputs, to: outputs[place], row, &evaluator)
      if example.saysSomething { byConversion[place][kind] = example }
    }
    try lookForLosses(in: row, &evaluator)
    for (number, filling) in fillings.enumerated() where byFilling[number] == nil {
      let value = try evaluator.evaluate(filling.test, row)
      guard evaluator.holds(filling.condition, of: value, row),
        try evaluator.evaluate(program.cells[filling.place], row) != value
      else { continue }
      byFilling[number] = try example(
        "filled", from: program.columns(of: filling.test), to: [filling.place], row, &evaluator)
    }
  }

  /// Adds the row for each drop of which it is the first that loses a value.
  ///
  /// The evaluator has just counted the row, so a count is above 0 for the first time.
  private mutating func lookForLosses(
    in row: borrowing Statement, _ evaluator: inout RowEvaluator
  ) throws {
    for place in openDrops where evaluator.tally.losses[place] > 0 {
      let columns = program.drops[place].parts.flatMap { program.columns(of: $0.cell) }
      byDrop[place] = try example("lost", from: columns, to: replacements[place], row, &evaluator)
      openDrops.removeAll { $0 == place }
    }
  }

  /// Adds the examples of other rows of the same table; the lowest key of each kind stays.
  mutating func add(_ other: ExampleCollector) {
    for (place, found) in other.byConversion.enumerated() {
      byConversion[place].merge(found) { $0.key <= $1.key ? $0 : $1 }
    }
    byFilling = Self.lowest(byFilling, other.byFilling)
    byDrop = Self.lowest(byDrop, other.byDrop)
  }

  private static func lowest(_ some: [PlanExample?], _ others: [PlanExample?]) -> [PlanExample?] {
    zip(some, others).map { [$0, $1].compactMap(\.self).min { $0.key < $1.key } }
  }

  private func example(
    _ kind: String, from columns: [Int], to places: [Int], _ row: borrowing Statement,
    _ evaluator: inout RowEvaluator
  ) throws -> PlanExample {
    let number = row.int64(at: 1)
    let entity = source.numbering.name(of: Int(number)) ?? program.sourceEntity
    let newEntity = program.entityNumbers[number].flatMap { target.numbering.name(of: Int($0)) }
    var before: [PlanExample.Part] = []
    for column in columns {
      guard case .named(let name) = program.sourceColumns[column] else { continue }
      let part = part(
        row.value(at: column), program.sourceProperties[column], of: entity, types[name])
      if !before.contains(part) { before.append(part) }
    }
    var after: [PlanExample.Part] = []
    for place in places {
      let column = program.table.columns[place]
      after.append(
        part(
          try evaluator.evaluate(program.cells[place], row), column.content.property ?? "",
          of: newEntity ?? entity, column.attributeType))
    }
    return PlanExample(
      entity: entity, newEntity: newEntity ?? entity, key: row.int64(at: 0), kind: kind,
      before: before, after: after)
  }

  private func part(
    _ value: Value, _ attribute: String, of entity: String, _ type: AttributeType?
  ) -> PlanExample.Part {
    PlanExample.Part(
      attribute: attribute.withoutRepetition,
      fingerprint: mask.fingerprint(of: value, named: "\(entity).\(attribute)", type: type))
  }
}

extension RowProgram {
  /// Returns whether a cell's value is made by the step that replaces the values of a drop.
  fileprivate func replaces(_ drop: Drop, by cell: Cell) -> Bool {
    let name = drop.object.split(separator: ".", maxSplits: 1).last.map(String.init)
    let isComputed = columns(of: cell).contains { column in
      guard case .computed(let computed) = sourceColumns[column] else { return false }
      return sourceProperties[column] == name
        && !computed.entityNumbers.isDisjoint(with: drop.entityNumbers)
    }
    let conversions = conversions(in: cell)
    return isComputed
      || drop.parts.contains { part in
        part.replacement.map { conversions.contains($0.conversion) } ?? false
      }
  }
}

extension PlanExample {
  /// Whether there is a value before or after.
  fileprivate var saysSomething: Bool {
    (before + after).contains { $0.fingerprint.kind != .null }
  }
}

extension Column {
  /// The type of the column's attribute; `nil` for keys and numbers.
  var attributeType: AttributeType? { content.attributeType }
}

extension Column.Content {
  fileprivate var attributeType: AttributeType? {
    switch self {
    case .attribute(_, _, let type): type
    default: nil
    }
  }
}

extension String {
  /// The path of a composite's leaf; one name if both of its names are equal.
  ///
  /// An enumeration is a composite with one leaf of the same name.
  package var withoutRepetition: String {
    let names = split(separator: ".")
    return names.count == 2 && names[0] == names[1] ? String(names[0]) : self
  }
}
