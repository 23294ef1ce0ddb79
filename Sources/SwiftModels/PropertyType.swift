import SourceDeclarations
import StoreModel

extension TypeTable {
  /// Returns the names of the properties in a key path.
  ///
  /// The parser can't tell the types in `\Schema.Item.name` from properties.
  func properties(
    of path: SwiftExpression, from scope: SourceType.Index, file: String
  ) -> [String] {
    split(path, from: scope, file: file).names
  }

  /// Returns the type in which a key path begins.
  func root(of path: SwiftExpression, from scope: SourceType.Index?, file: String) -> FoundName {
    let root = split(path, from: scope, file: file).root
    return root.map { followed(find($0, from: scope, file: file)) } ?? .unknown
  }

  private func split(
    _ path: SwiftExpression, from scope: SourceType.Index?, file: String
  ) -> (root: String?, names: [String]) {
    var names = path.text.split(separator: ".").map(String.init)
    guard var root = path.type?.name else { return (nil, names) }
    while names.count > 1, find("\(root).\(names[0])", from: scope, file: file) != .unknown {
      root += "." + names.removeFirst()
    }
    return (root, names)
  }

  /// Returns the type of a property, which an initial value may give.
  ///
  /// - Returns: The type, or `nil` if only the compiler can tell it.
  func type(
    of property: SwiftDeclaration, in scope: SourceType.Index, file: String
  ) -> SwiftType? {
    property.type ?? property.value.flatMap { type(of: $0, in: scope, file: file) }
  }

  private func type(
    of value: SwiftExpression, in scope: SourceType.Index, file: String
  ) -> SwiftType? {
    switch value.kind {
    case .string: return SwiftType("String")
    case .integer: return SwiftType("Int")
    case .real: return SwiftType("Double")
    case .boolean: return SwiftType("Bool")
    case .cast, .nil: return value.type
    case .array:
      let types = Set(
        value.arguments.map { type(of: $0.value, in: scope, file: file) })
      guard types.count == 1, let element = types.first ?? nil else { return nil }
      return SwiftType("Array", [element])
    case .call: return typeOfCall(value, in: scope, file: file)
    case .name: return typeOfName(value.text, in: scope, file: file)
    case .other: return value.text == "UUID().uuidString" ? SwiftType("String") : nil
    case .sequence: return typeOfSequence(value, in: scope, file: file)
    case .operator:
      let isNegation = value.text == "!" && value.arguments.first?.value.kind == .boolean
      return isNegation ? SwiftType("Bool") : nil
    case .type, .dictionary, .keyPath: return nil
    }
  }

  /// Returns the type of a sum or product of literals, such as `60 * 60` and `"a" + "b"`.
  private func typeOfSequence(
    _ sequence: SwiftExpression, in scope: SourceType.Index, file: String
  ) -> SwiftType? {
    let parts = sequence.arguments.map(\.value)
    let signs = Set(parts.filter { $0.kind == .operator }.map(\.text))
    let kinds = Set(parts.filter { $0.kind != .operator }.map(\.kind))
    if kinds == [.string], signs == ["+"] { return SwiftType("String") }
    guard kinds.isSubset(of: [.integer, .real]), signs.isSubset(of: ["+", "-", "*", "/"]) else {
      return nil
    }
    return SwiftType(kinds.contains(.real) ? "Double" : "Int")
  }

  /// Returns the type that an initialiser makes, or `nil` if it could make `nil`.
  private func typeOfCall(
    _ call: SwiftExpression, in scope: SourceType.Index, file: String
  ) -> SwiftType? {
    let initialized = call.text.hasSuffix(".init") ? call.text.dropLast(5) : nil
    guard let type = initialized.map({ SwiftType(String($0)) }) ?? call.type else { return nil }
    switch resolve(type, from: scope, file: file) {
    case .array, .optional, .collection: return call.arguments.isEmpty ? type : nil
    case .sdk(let known):
      if call.arguments.isEmpty || type.name == "Date" { return type }
      // A conversion of a number literal can't fail, unlike that of a string.
      guard case .scalar(let scalar) = known, scalar.isNumber, call.arguments.count == 1,
        call.arguments[0].label == nil,
        [.integer, .real].contains(call.arguments[0].value.kind)
      else { return nil }
      return type
    case .model(let index), .value(let index):
      let isFailable =
        types[index].members.contains { $0.kind == .failableInitializer }
        || call.arguments.first?.label == "rawValue"
      return isFailable ? nil : type
    case .unknown: return nil
    }
  }

  /// The static properties of number types that have the type itself.
  private static let constants: Set<String> = [
    "zero", "pi", "max", "min", "infinity", "nan", "greatestFiniteMagnitude",
    "leastNonzeroMagnitude", "leastNormalMagnitude", "ulpOfOne",
  ]

  /// Returns the type that a case or known constant belongs to: `Status.pending`, `Date.now`.
  private func typeOfName(
    _ name: String, in scope: SourceType.Index, file: String
  ) -> SwiftType? {
    let parts = name.split(separator: ".").map(String.init)
    guard parts.count > 1, let last = parts.last, !name.hasPrefix(".") else { return nil }
    let type = SwiftType(parts.dropLast().joined(separator: "."))
    if last == "rawValue", parts.count > 2,
      let owner = typeOfName(type.name, in: scope, file: file),
      case .value = resolve(owner, from: scope, file: file)
    {
      return SwiftType(owner.name + ".RawValue")
    }
    switch resolve(type, from: scope, file: file) {
    case .value(let index):
      let isCase = types[index].members.contains { $0.kind == .enumCase && $0.name == last }
      return isCase ? type : nil
    case .sdk(.scalar(.date)):
      return ["now", "distantPast", "distantFuture"].contains(last) ? type : nil
    case .sdk(.scalar(let scalar)) where scalar.isNumber:
      return Self.constants.contains(last) ? type : nil
    case .sdk, .model, .optional, .array, .collection, .unknown: return nil
    }
  }
}

extension SwiftType {
  /// The type as text without optionality.
  var unwrappedText: String {
    if name == "Optional", let inner = arguments.first { return inner.unwrappedText }
    return description
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    [.integer16, .integer32, .integer64, .double, .float, .decimal].contains(self)
  }
}
