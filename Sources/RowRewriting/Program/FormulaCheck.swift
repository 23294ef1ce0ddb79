import Migrations
import SQLite

/// An SQL function that checks and counts the results of a formula while SQLite writes the rows.
///
/// A result that a row may be refused for fails the statement. Writing row by row then finds out
/// whether it is, and names the row.
final class FormulaCheck {
  private let column: ComputedColumn

  /// Whether the results are written; else the function answers 1.
  private let isWritten: Bool

  /// The number of results in each class, in the order of the classes.
  private var counts: [Int64]

  init(_ column: ComputedColumn, isWritten: Bool) {
    (self.column, self.isWritten) = (column, isWritten)
    counts = column.classes.map { _ in 0 }
  }

  /// Returns the name of the function for a column of a program's query, by the column's index.
  static func name(ofColumn place: Int) -> String { "checked_result_\(place)" }

  /// Answers a call with the result.
  func answer(_ call: borrowing FunctionCall) {
    guard isHeld(call) else { return call.fail("a result of a formula may be refused") }
    if isWritten { call.answerArgument() } else { call.answer(integer: 1) }
  }

  /// The counts by class.
  var classes: [String: Int64] {
    Dictionary(zip(column.classes, counts), uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether the row is certainly not refused, and counts its class.
  private func isHeld(_ call: borrowing FunctionCall) -> Bool {
    switch column.purpose {
    case .restoration: return true
    case .requirement: return call.type == .integer && call.word != 0
    case .classes(let names, _):
      guard let place = names.firstIndex(where: { $0.isText(of: call) }) else { return false }
      counts[place] += 1
    case .value:
      let result = FormulaResult(call)
      guard result.problem(as: column.type, isOptional: column.isOptional) == nil else {
        return false
      }
      if !counts.isEmpty { counts[result.kind == .null ? 1 : 0] += 1 }
    }
    return true
  }
}

extension String {
  /// Returns whether the argument of a call is this text.
  fileprivate func isText(of call: borrowing FunctionCall) -> Bool {
    call.type == .text
      && call.withBytes { bytes in
        bytes.count == utf8.count && zip(bytes.indices, utf8).allSatisfy { bytes[$0] == $1 }
      }
  }
}
