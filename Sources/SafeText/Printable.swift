extension String {
  /// The text, with characters escaped that could move a cursor or reorder a line.
  ///
  /// Names of entities come from files that the user may not trust.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.isUnprintable: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as one word of a shell.
  package var shellWord: String {
    if unicodeScalars.contains(where: \.isUnprintable) {
      return "$'" + unicodeScalars.map(\.ansiQuoted).joined() + "'"
    }
    if !isEmpty, unicodeScalars.allSatisfy(\.isPlainInShell) { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// The path as one word of a shell, which no command mistakes for an option.
  package var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }
}

extension Unicode.Scalar {
  fileprivate var isUnprintable: Bool {
    switch properties.generalCategory {
    // Bidirectional overrides are format characters; some terminals break lines at a separator.
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  fileprivate var isPlainInShell: Bool {
    properties.isAlphabetic || properties.numericType != nil
      || "_@%+=:,./-".unicodeScalars.contains(self)
  }

  fileprivate var ansiQuoted: String {
    switch self {
    case "'": return #"\'"#
    case "\\": return #"\\"#
    case _ where isUnprintable:
      return String(self).utf8.map { byte in
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    default: return String(self)
    }
  }
}
