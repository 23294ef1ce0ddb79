import SourceDeclarations
import StoreModel

extension TypeTable {
  /// Returns the default of an attribute, if its initial value is a literal or a case.
  ///
  /// - Returns: The default, or `nil` if the value is another expression.
  func defaultValue(
    _ value: SwiftExpression, of form: AttributeForm, named name: String, type: ResolvedType
  ) -> ModelValue? {
    switch (form.type, value.kind) {
    case (.string, .string): return .string(value.text)
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
      return Int64(value.text).map { .integer($0) }
    case (.double, .integer), (.double, .real), (.float, .integer), (.float, .real):
      return Double(value.text).map { .real($0) }
    case (.decimal, .integer), (.decimal, .real): return .decimal(value.text)
    case (.boolean, .boolean): return .boolean(value.text == "true")
    case (.composite, .name):
      guard case .value(let index) = type,
        let raw = rawValue(value.text.split(separator: ".").last.map(String.init) ?? "", of: index)
      else { return nil }
      return .dictionary([name: raw])
    default: return nil
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
