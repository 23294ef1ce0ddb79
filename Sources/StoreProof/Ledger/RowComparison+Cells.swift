import JSONText
import Migrations
import OutboxConversion
import RowRewriting
import SQLite

extension RowComparison {
  /// Returns whether a cell holds the expected value, and records the values that it holds.
  mutating func check(
    _ cell: RowProgram.Cell, at place: Int, _ old: borrowing Statement, _ new: borrowing Statement
  ) -> Bool {
    switch cell {
    case .column(let column):
      guard old.holds(at: column, sameAs: new, at: place, by: .identical) else { return false }
      if case .computed = rows.sourceColumns[column] { return true }
      record(.identical, of: column)
      return true
    case .constant(let value): return new.holds(at: place, value)
    case .entityNumber(let column):
      record(.identical, of: column)
      if old.isNull(at: column) { return new.isNull(at: place) }
      return rows.linkedNumbers[old.int64(at: column)].map {
        new.holds(at: place, .integer($0))
      } ?? (new.type(at: place) != .integer)
    case .constantWherePresent(let value, let column):
      return new.holds(at: place, old.isNull(at: column) ? .null : value)
    case .converted(let conversion, let output):
      if let payload = payloadColumns[conversion] {
        return checkPayload(payload, at: place, old, new)
      }
      return check(conversion, output: output, at: place, old, new)
    case .conditional(let condition, let test, let then, let otherwise):
      guard let value = value(of: test, old) else { return false }
      guard isMet(condition, by: value, old) else { return check(otherwise, at: place, old, new) }
      if case .column(let column) = test { record(.replaced, of: column) }
      return check(then, at: place, old, new)
    case .missingOption: return false
    }
  }

  /// Converts a metadata text back and compares it with the payload.
  private mutating func checkPayload(
    _ column: Int, at place: Int, _ old: borrowing Statement, _ new: borrowing Statement
  ) -> Bool {
    let isEmpty = old.isNull(at: column) || old.byteCount(at: column) == 0
    guard !isEmpty, new.type(at: place) == .text else {
      if isEmpty && new.isNull(at: place) {
        record(.converted, of: column)
        return true
      }
      return false
    }
    // Metadata that begins like JSON is its own payload, so equal bytes needn't be converted back.
    if old.holds(at: column, sameAs: new, at: place, by: .bytes),
      new.withBytes(at: place, { $0.beginsAsJSON })
    {
      record(.converted, of: column)
      return true
    }
    let fate = old.withBytes(at: column) { payload in
      new.withBytes(at: place) { Self.fate(of: payload, in: $0, &converter) }
    }
    record(fate, of: column)
    return fate != .nowhere
  }

  private static func fate(
    of payload: Span<UInt8>, in metadata: Span<UInt8>, _ converter: inout PayloadConverter
  ) -> Fate {
    switch converter.revert(metadata) {
    case .base64:
      return converter.withOutput { payload.holdsSameBytes(as: $0) } ? .converted : .nowhere
    case .json, .other:
      if payload.holdsSameBytes(as: metadata) { return .converted }
      return payload.whitespaceBeyond(metadata).map { .normalised($0) } ?? .nowhere
    }
  }
}

extension Span<UInt8> {
  /// Whether metadata with these bytes is its own payload.
  fileprivate var beginsAsJSON: Bool {
    !isEmpty && (self[0] == UInt8(ascii: "{") || self[0] == UInt8(ascii: "["))
  }
}
