import Platform
import StoreModel

extension Migration {
  /// The SHA-256 of what the migration does, in hexadecimal digits; empty if it is in no file.
  ///
  /// It is the ``checksum`` of the file or, if steps name converters of converter files, the hash of
  /// the checksum with their formulas.
  package var hash: String {
    let formulas = steps.compactMap(\.formulaConverter).flatMap { [$0.forward, $0.backward] }
    guard !formulas.isEmpty && !checksum.isEmpty else { return checksum }
    let lines = formulas.map {
      "\($0.name) \($0.input.name) \($0.output.name) \($0.range)\n\($0.text)"
    }
    return Hexadecimal.encode(sha256(Array(([checksum] + lines).joined(separator: "\n").utf8)))
  }
}

extension Step {
  /// The converter of a converter file that the step names.
  fileprivate var formulaConverter: FormulaConverter? {
    switch self {
    case .convert(let conversion):
      if case .formula(let converter) = conversion.converter { converter } else { nil }
    case .backfill(_, from: .attribute(_, .formula(let converter)?), where: _): converter
    default: nil
    }
  }
}
