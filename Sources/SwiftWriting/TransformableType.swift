import StoreModel

/// The Swift type of a transformable attribute, from the class that the model names.
struct TransformableType {
  /// The type.
  let text: String

  /// Whether the model names a type that Swift's library has.
  let isKnown: Bool

  /// The transformer to write; `nil` if SwiftData chooses it by the type.
  let transformer: String?

  private let names: TypeNames

  init(_ attribute: Attribute, _ names: TypeNames) {
    self.names = names
    var reader = TypeReader(text: Array(attribute.valueClassName ?? ""), names: names)
    let type = reader.readType()
    if let type, reader.isAtEnd {
      (text, isKnown, transformer) = (type, true, nil)
    } else {
      text = names["NSObject"]
      isKnown = false
      transformer = attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
    }
  }

  /// Returns the expression of an empty collection, or of an array of strings.
  func expression(_ value: ModelValue) -> String? {
    guard isKnown, text.hasPrefix("[") else { return nil }
    let isDictionary = text.contains(":")
    switch value {
    case .array(let values):
      if isDictionary { return nil }
      let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
      guard values.isEmpty || text == "[\(names["String"])]" && texts.count == values.count else {
        return nil
      }
      return "[\(texts.map(\.swiftLiteral).joined(separator: ", "))]"
    case .dictionary(let values): return isDictionary && values.isEmpty ? "[:]" : nil
    default: return nil
    }
  }
}

/// Reads a type such as `Array<String>` or `Dictionary<String, Array<Int>>`.
private struct TypeReader {
  let text: [Character]
  let names: TypeNames
  private var place = 0

  init(text: [Character], names: TypeNames) {
    self.text = text
    self.names = names
  }

  var isAtEnd: Bool { place == text.count }

  /// Returns the type with Swift's brackets; `nil` if it isn't one of Swift's library.
  mutating func readType() -> String? {
    var name = readName()
    for module in ["Swift.", "Foundation."] where name.hasPrefix(module) {
      name.removeFirst(module.count)
    }
    switch name {
    case "Array": return readArguments(1).map { "[\($0[0])]" }
    case "Set": return readArguments(1).map { "\(names["Set"])<\($0[0])>" }
    case "Optional": return readArguments(1).map { "\($0[0])?" }
    case "Dictionary": return readArguments(2).map { "[\($0[0]): \($0[1])]" }
    default: return Self.simpleTypes.contains(name) ? names[name] : nil
    }
  }

  private mutating func readName() -> String {
    let start = place
    while place < text.count, text[place].isLetter || text[place].isNumber || text[place] == "." {
      place += 1
    }
    return String(text[start..<place])
  }

  private mutating func readArguments(_ count: Int) -> [String]? {
    guard skip("<") else { return nil }
    var types: [String] = []
    repeat {
      while skip(" ") {}
      guard let type = readType() else { return nil }
      types.append(type)
    } while skip(",")
    return skip(">") && types.count == count ? types : nil
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard place < text.count, text[place] == character else { return false }
    place += 1
    return true
  }

  /// Types that are `Hashable` and `Codable`.
  private static let simpleTypes: Set<String> = [
    "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64", "Int8",
    "String", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
  ]
}
