import JSONText
import SQLite
import StoreFormat

/// Finds the values of a table's rows that the old version has no place for.
struct RowParking {
  /// The columns of the new version that nothing of the old one is made of.
  let columns: [String]
  private(set) var counts: [String: Int64] = [:]

  private let rows: RowProgram
  private let layout: StoreLayout
  private let properties: [String: String]

  init(_ rows: RowProgram, in store: MergedStore) {
    self.rows = rows
    layout = store.program.sourceLayout
    let table = layout.tables.first { $0.name == rows.sourceTable }
    let read = rows.sourceColumns.compactMap { column -> String? in
      if case .named(let name) = column { name } else { nil }
    }
    columns = (table?.columns ?? []).map(\.name).filter { !read.contains($0) }
    properties = Dictionary(
      (table?.columns ?? []).compactMap { column in
        column.content.property.map { (column.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Parks what has no place of a row that was written since.
  mutating func park(
    _ row: borrowing Statement, evaluator: inout RowEvaluator, _ file: inout ParkingFile?
  ) throws {
    var values: [ParkedValue] = []
    for (place, column) in columns.enumerated() {
      let value = row.value(at: rows.sourceColumns.count + place)
      if !value.isNull { values.append(ParkedValue(column: column, value: value, standIn: nil)) }
    }
    values += try lossyValues(of: row, touched: nil, &evaluator)
    try park(values, of: row, &file)
  }

  /// Parks what has no place of a row that was changed since.
  mutating func park(
    _ row: borrowing Statement, unless base: borrowing Statement, touched: Set<Int>,
    evaluator: inout RowEvaluator, _ file: inout ParkingFile?
  ) throws {
    var values: [ParkedValue] = []
    for (place, column) in columns.enumerated() {
      let number = rows.sourceColumns.count + place
      guard !base.holds(at: number, sameAs: row, at: number) else { continue }
      values.append(ParkedValue(column: column, value: row.value(at: number), standIn: nil))
    }
    if !touched.isEmpty { values += try lossyValues(of: row, touched: touched, &evaluator) }
    try park(values, of: row, &file)
  }

  private mutating func park(
    _ values: [ParkedValue], of row: borrowing Statement, _ file: inout ParkingFile?
  ) throws {
    guard !values.isEmpty else { return }
    let entity = layout.numbering.name(of: Int(row.int64(at: 1))) ?? rows.sourceEntity
    for value in values {
      counts["\(entity).\(properties[value.column] ?? value.column)", default: 0] += 1
    }
    try file?.append(
      ParkedRow(entity: entity, key: row.int64(at: 0), isWhole: false, values: values))
  }

  /// The values that a conversion doesn't give back as they were.
  private func lossyValues(
    of row: borrowing Statement, touched: Set<Int>?, _ evaluator: inout RowEvaluator
  ) throws -> [ParkedValue] {
    var values: [ParkedValue] = []
    for (place, conversion) in rows.conversions.enumerated() {
      let columns = conversion.inputs.map { rows.columns(of: $0).first }
      if let touched, columns.allSatisfy({ $0.map { !touched.contains($0) } ?? true }) { continue }
      let made = try evaluator.convert(place, row).values
      var payloads = PayloadConverter()
      let again = try? conversion.converter.inverse.convert(made, using: &payloads).values
      for (input, column) in columns.enumerated() {
        guard let column, case .named(let name) = rows.sourceColumns[column] else { continue }
        let value = row.value(at: column)
        let standIn = again?[input] ?? .null
        if standIn != value {
          values.append(ParkedValue(column: name, value: value, standIn: standIn))
        }
      }
    }
    return values
  }
}
