import Platform
package import SQLite

extension Value {
  /// The value as an SQL literal; a real number has its shortest digits.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let bytes):
      // Text with characters that can't be shown is given by its bytes.
      if bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let text = string {
        "'\(text.replacing("'", with: "''"))'"
      } else {
        "CAST(\(Value.blob(bytes).literal) AS TEXT)"
      }
    case .blob(let bytes): "x'\(Hexadecimal.encode(bytes))'"
    }
  }
}
