import JSONText
import SQLite
import StoreModel

/// The form of a value, as far as it decides what a migration does with a row.
enum RowForm {
  /// Returns bytes that are equal for values of one form.
  static func of(_ value: Value, _ column: ColumnShape, _ words: KeptWords) -> [UInt8] {
    switch value {
    case .null: return [0x4E]
    case .integer(let number):
      if words.keeps("\(number)", at: column.place) || column.column.uppercased() == "Z_ENT" {
        return [0x69] + UInt64(bitPattern: number).bytes
      }
      if column.role == .flag { return [0x66, number == 0 ? 0 : 1] }
      return [0x49, UInt8(number.signum() + 1)]
    case .real(let number): return [0x52, number < 0 ? 0 : number > 0 ? 2 : 1]
    case .text(let bytes): return [0x54] + form(of: bytes, column, words)
    case .blob(let bytes): return [0x42] + form(of: bytes, column, words)
    }
  }

  private static func form(
    of bytes: [UInt8], _ column: ColumnShape, _ words: KeptWords
  ) -> [UInt8] {
    if bytes.isEmpty { return [0x65] }
    if let values = words.values[column.place] {
      let text = String(decoding: bytes, as: UTF8.self)
      if values.contains(text) { return [0x77] + bytes }
    }
    if bytes.count == 36, uuidBytes(bytes.span) != nil { return [0x75] }
    if DateText(bytes) != nil { return [0x64] }
    var names: Set<String> = []
    let kind = PayloadClass(of: bytes.span) { key in
      if let name = bytes.span.name(of: key), words.keys.contains(name) { names.insert(name) }
    }
    guard kind.isJSON else {
      return [String(validating: bytes, as: UTF8.self) == nil ? 0x78 : 0x74]
    }
    return [0x6A, kind == .identical ? 0 : 1] + names.sorted().flatMap { Array($0.utf8) + [0] }
  }
}
