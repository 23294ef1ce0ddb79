extension String {
  /// The sentence in parts, where options in quotes are code: `'--rows deliverable'`.
  package var optionParts: [(text: String, isCode: Bool)] {
    var parts: [(text: String, isCode: Bool)] = []
    var rest = self[...]
    while let quoted = rest.firstMatch(of: /'([^']*--[^']*)'/) {
      parts.append((String(rest[..<quoted.range.lowerBound]), false))
      parts.append((String(quoted.1), true))
      rest = rest[quoted.range.upperBound...]
    }
    return parts + [(String(rest), false)]
  }
}
