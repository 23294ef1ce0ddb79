import XMLText
import StoreModel

extension XMLModelReader {
  /// Returns the default value of an attribute; `nil` if it has none that is of its type.
  ///
  /// Xcode leaves the text of a default behind when the type of the attribute changes.
  mutating func defaultValue(
    of element: XMLElement, _ type: AttributeType, _ path: String
  ) -> ModelValue? {
    var (name, other) = ("defaultValueString", "defaultDateTimeInterval")
    if type == .date { swap(&name, &other) }
    guard let text = element[name] else {
      if element[other] != nil {
        note(element, "'\(other)' of '\(path)' isn't for the type \(type.name), and is ignored")
      }
      return nil
    }
    if let value = ModelValue(default: text, of: type) { return value }
    let sentence = "the default '\(text)' of '\(path)' isn't a value of type \(type.name)"
    // Xcode compiles it as 0, by the model caches of an app (`ModelsFromSource.md`).
    guard type.integerRange != nil, text.uppercased() == "NO" else {
      note(element, "\(sentence), and is ignored")
      return nil
    }
    note(element, "\(sentence); it becomes 0")
    return .integer(0)
  }
}

extension ModelValue {
  /// Reads the default of an attribute; `nil` if the text isn't a value of the type.
  fileprivate init?(default text: String, of type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }),
        type.integerRange?.contains(number) == true
      else { return nil }
      self = .integer(number)
    case .boolean:
      switch text.uppercased() {
      case "YES", "TRUE", "1": self = .boolean(true)
      case "NO", "FALSE", "0": self = .boolean(false)
      default: return nil
      }
    case .double, .date, .decimal:
      guard let number = Double(text), text.isDecimal, number.isFinite else { return nil }
      self = type == .decimal ? .decimal(text) : type == .date ? .date(number) : .real(number)
    case .float:
      guard let number = Float(text), text.isDecimal, number.isFinite else { return nil }
      self = .real(Double(number))
    case .uuid:
      guard let bytes = uuidBytes(text) else { return nil }
      self = .uuid(bytes)
    case .uri:
      guard text.isURL else { return nil }
      self = .url(text)
    case .string: self = .string(text)
    case .binary, .undefined, .transformable, .objectID, .composite, .codable: return nil
    }
  }
}

extension String {
  /// Whether a number that Swift can read isn't hexadecimal, which Core Data can't read.
  fileprivate var isDecimal: Bool { utf8.allSatisfy { !"xXpP".utf8.contains($0) } }

  /// Whether the text has only the characters of a URL (RFC 3986, section 2).
  fileprivate var isURL: Bool {
    let parts = split(separator: "%", omittingEmptySubsequences: false)
    let plain = "!#$&'()*+,-./:;=?@_~[]"
    return !isEmpty && parts.dropFirst().allSatisfy { $0.prefix(2).filter(\.isHexDigit).count == 2 }
      && parts.joined().allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || plain.contains($0))
      }
  }
}
