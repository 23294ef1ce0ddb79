import SourceDeclarations
import StoreModel

extension TypeTable {
  /// Returns the default of an attribute, if its initial value is a literal, a case or `.init()`.
  ///
  /// - Returns: The default, or `nil` if the value is another expression, or doesn't fit the type.
  func defaultValue(
    _ value: SwiftExpression, of form: AttributeForm, named name: String, type: ResolvedType,
    in scope: SourceType.Index
  ) -> ModelValue? {
    switch (form.type, value.kind) {
    case (_, .cast):
      return value.arguments.first.flatMap {
        defaultValue($0.value, of: form, named: name, type: type, in: scope)
      }
    case (_, .call): return emptyValue(value, of: form.type, in: scope)
    case (.string, .string): return .string(value.text)
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
      return Int64(value.text).flatMap {
        form.type.integerRange?.contains($0) == true ? .integer($0) : nil
      }
    case (.double, .integer), (.double, .real), (.float, .integer), (.float, .real):
      guard let number = Double(value.text), number.isFinite,
        form.type == .double || Float(number).isFinite
      else { return nil }
      return .real(number)
    case (.decimal, .integer), (.decimal, .real): return .decimal(value.text)
    case (.boolean, .boolean): return .boolean(value.text == "true")
    case (.composite, .name):
      guard case .value(let index) = type, let member = member(value.text, of: index, in: scope),
        let raw = rawValue(member, of: index)
      else { return nil }
      return .dictionary([name: raw])
    default: return nil
    }
  }

  /// Returns the name after the type in `Kind.one` or `.one`; `nil` if the type is another one.
  private func member(
    _ text: String, of index: SourceType.Index, in scope: SourceType.Index
  ) -> String? {
    guard let point = text.lastIndex(of: ".") else { return nil }
    let owner = String(text[..<point])
    guard
      owner.isEmpty
        || followed(find(owner, from: scope, file: types[scope].file)) == .declared(index)
    else { return nil }
    return String(text[text.index(after: point)...])
  }

  /// Returns what `.init()`, `String()` or the like makes of a type whose empty value is a constant.
  private func emptyValue(
    _ call: SwiftExpression, of type: AttributeType, in scope: SourceType.Index
  ) -> ModelValue? {
    guard call.arguments.isEmpty else { return nil }
    let name = call.text.hasSuffix(".init") ? String(call.text.dropLast(5)) : call.text
    if !name.isEmpty {
      guard
        case .sdk(.scalar(type)) = resolve(SwiftType(name), from: scope, file: types[scope].file)
      else { return nil }
    }
    return switch type {
    case .string: .string("")
    case .integer16, .integer32, .integer64: .integer(0)
    case .double, .float: .real(0)
    case .boolean: .boolean(false)
    default: nil
    }
  }

  /// Returns the raw value of a case, or `nil` if the enum has none.
  ///
  /// A case without a raw value of its own has its name, or the number after the one before it.
  private func rawValue(_ name: String, of index: SourceType.Index) -> ModelValue? {
    guard let raw = rawType(of: index) else { return nil }
    var next: Int64 = 0
    for member in types[index].members where member.kind == .enumCase {
      let written = member.value?.text
      if let number = written.flatMap(Int64.init) { next = number }
      if member.name == name {
        switch raw {
        case .string: return .string(written ?? member.name)
        case .integer16, .integer32, .integer64: return .integer(next)
        default: return nil
        }
      }
      next += 1
    }
    return nil
  }
}

extension SwiftExpression {
  /// Whether the expression is `nil` where a value is optional; `.none` then isn't a case.
  var isNil: Bool { kind == .nil || kind == .name && [".none", "Optional.none"].contains(text) }
}
