extension JSONError: CustomStringConvertible {
  /// The error as `file:line:column: error: sentence`; the file is left out if it is unknown.
  package var description: String {
    "\(file.map { "\($0):" } ?? "")\(position): error: \(reason)"
  }
}

extension JSONError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .byteOrderMark: "the text starts with a byte order mark; save it as UTF-8 without one"
    case .invalidUTF8: "the bytes are not UTF-8; save the text as UTF-8"
    case .empty: "the text is empty; expected a value"
    case .expected(let what, found: let found?): "expected \(what), not \(found)"
    case .expected(let what, found: nil): "expected \(what), but the text ends"
    case .trailingComma: "trailing comma; remove it"
    case .trailingText: "unexpected text after the JSON value; remove it"
    case .comment: "JSON has no comments; remove it"
    case .invalidNumber: "not a JSON number; write it like -12, 0.5 or 1e9"
    case .invalidEscape: #"not an escape; write a backslash as '\\'"#
    case .unpairedSurrogate: #"unpaired surrogate; write both halves, as in '\ud83d\ude00'"#
    case .controlCharacter(let byte):
      "a control character in a string; write it as '\\u\(hexadecimal(byte))'"
    case .duplicateKey(let key, let line): "key '\(key)' appears twice; first on line \(line)"
    case .tooLarge(let byteCount, let limit):
      "the text has \(byteCount) bytes; the limit is \(limit)"
    case .tooDeep(let limit): "nested too deeply; the limit is \(limit) levels"
    case .wrongType(let wanted, let found): "expected \(wanted), not \(found)"
    case .missingKey(let key): "key '\(key)' is missing"
    case .unknownKey(let key, let nearest): "unknown key '\(key)'\(suggestion(nearest))"
    case .unknownName(let name, let nearest): "unknown name '\(name)'\(suggestion(nearest))"
    case .numberOutOfRange(let type): "the number is out of range for \(type)"
    case .rejected(let sentence): sentence
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    "00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
  }

  private func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}
