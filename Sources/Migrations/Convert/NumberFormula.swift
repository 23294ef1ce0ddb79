import Platform
package import SQLite
package import StoreModel

/// A formula that makes one number of another, as a converter file states it.
package struct NumberFormula: Sendable {
  /// The name, as steps spell it.
  package let name: String

  /// The SQL over ``parameter``.
  package let text: String

  /// The type of the numbers that it is meant for.
  package let input: AttributeType

  /// The type of the results.
  package let output: AttributeType

  /// The numbers that it is meant for; others count as clamped.
  package let range: ClosedRange<Double>

  /// The lines of a Swift function that does the same; empty without one.
  package let swift: [String]

  private let evaluation: Guarded<FormulaEvaluation?>
  private let proof: Guarded<FormulaEvaluation?>

  /// The name by which the formula reads the number.
  package static let parameter = "value"

  package init(
    _ name: String, _ text: String, from input: AttributeType, to output: AttributeType,
    range: ClosedRange<Double>, swift: [String]
  ) {
    (self.name, self.text, self.range, self.swift) = (name, text, range, swift)
    (self.input, self.output) = (input, output)
    evaluation = Guarded(nil)
    proof = Guarded(nil)
  }

  /// The types of numbers that converters read and write.
  package static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .double, .float,
  ]

  /// Returns the result for a number.
  ///
  /// - Parameters:
  ///   - number: The number, as the store has it.
  ///   - isProof: Whether the statement is another than the one that made the values to prove.
  /// - Returns: The result, as a column of its type stores it.
  /// - Throws: An error of SQLite if a function of the formula fails.
  package func result(for number: Value, isProof: Bool = false) throws(SQLiteError) -> Value {
    let used = isProof ? proof : evaluation
    let found: Result<Value, SQLiteError> = used.withLock { evaluation in
      do throws(SQLiteError) {
        if let evaluation { return .success(try evaluation.result(for: number)) }
        let new = try FormulaEvaluation(of: text)
        evaluation = new
        return .success(try new.result(for: number))
      } catch {
        return .failure(error)
      }
    }
    let value = try found.get()
    // A column of this type stores a whole number as a real one, or the reverse.
    switch (value, output) {
    case (.integer(let whole), .double), (.integer(let whole), .float): return .real(Double(whole))
    case (.real(let real), .integer16), (.real(let real), .integer32),
      (.real(let real), .integer64):
      return Int64(exactly: real).map { .integer($0) } ?? value
    default: return value
    }
  }

  /// Whether a value has the type of the results.
  func isResult(_ value: Value) -> Bool {
    switch (value, output) {
    case (.integer(let whole), _): output.integerRange?.contains(whole) == true
    case (.real(let real), .double): real.isFinite
    case (.real(let real), .float): Float(real).isFinite
    default: false
    }
  }

  /// The name of a Swift function for the formula: `mood-value` is `moodValue`.
  package var swiftName: String {
    let words = name.split(separator: "-")
    return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
  }
}

extension NumberFormula: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.text == right.text && left.range == right.range
      && left.input == right.input && left.output == right.output && left.swift == right.swift
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(text)
  }
}

/// A prepared formula.
private final class FormulaEvaluation {
  private var statement: Statement

  init(of text: String) throws(SQLiteError) {
    let connection = try Connection.memory()
    try connection.define(FormulaFunctions.all)
    let name = quoteIdentifier(NumberFormula.parameter)
    // The line break ends a comment at the text's end.
    statement = try connection.prepare(
      "SELECT (\n\(text)\n) FROM (SELECT ?1 AS \(name))", isPersistent: true)
  }

  func result(for number: Value) throws(SQLiteError) -> Value {
    try statement.bind(number, at: 1)
    guard try statement.step() else { return .null }
    let result = statement.value(at: 0)
    try statement.run()
    return result
  }
}

/// A converter by a formula, and the one of the opposite direction.
package struct FormulaConverter: Hashable, Sendable {
  package let forward: NumberFormula
  package let backward: NumberFormula

  package init(forward: NumberFormula, backward: NumberFormula) {
    (self.forward, self.backward) = (forward, backward)
  }

  package var inverse: FormulaConverter {
    FormulaConverter(forward: backward, backward: forward)
  }
}

extension Substring {
  /// The text with its first character in upper case.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
