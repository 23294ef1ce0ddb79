import SourceDeclarations
import StoreModel

// MARK: - Enums

extension TypeTable {
  /// Returns the form of an enum: one leaf with its raw value, or one leaf for each case.
  func enumeration(
    _ found: SourceType, _ index: SourceType.Index, named name: String
  ) throws(UnknownForm) -> AttributeForm {
    let coding =
      found.members.contains(where: { $0.kind == .coding })
      ? ["how SwiftData stores '\(found.name)', which has its own coding"] : []
    if let raw = rawType(of: index) {
      return AttributeForm(
        type: .composite, elements: [Attribute(name: name, type: raw, isOptional: true)],
        userInfo: ["EnumType": .boolean(true)], unproven: coding)
    }
    let cases = found.members.filter { $0.kind == .enumCase }
    try checkRawType(of: found, index, cases)
    var elements: [Attribute] = []
    var unproven: [String] = []
    for member in cases {
      guard let value = member.members.first?.type else {
        elements.append(Attribute(name: member.name, type: .string, isOptional: true))
        continue
      }
      guard member.members.count == 1 else {
        throw UnknownForm(
          rule: .unknownType,
          message: "how SwiftData stores the case '\(member.name)' of '\(found.name)', which has "
            + "several associated values, isn't known")
      }
      elements.append(try leaf(member.name, value, in: index))
      unproven = ["how SwiftData stores the associated values of '\(found.name)'"]
    }
    return AttributeForm(
      type: .composite, elements: elements,
      userInfo: [
        "EnumType": .boolean(true), "enum": .array(cases.map { .string($0.name) }),
      ], unproven: unproven + coding)
  }

  /// Throws if an enum has raw values whose type isn't known, or may have such.
  private func checkRawType(
    of found: SourceType, _ index: SourceType.Index, _ cases: [SwiftDeclaration]
  ) throws(UnknownForm) {
    let problem: String
    switch firstInherited(of: index) {
    case .noSuperclass:
      guard found.inherits("RawRepresentable") || cases.contains(where: { $0.value != nil }) else {
        return
      }
      problem = ""
    case .superclass(let parent): problem = ": '\(types[parent].name)' is a class"
    case .unknown(let name):
      problem = ": how SwiftData stores '\(name)' isn't known, nor whether it is a protocol"
    }
    throw UnknownForm(
      rule: .unknownType, message: "the raw type of '\(found.name)' isn't known\(problem)")
  }

  /// Returns the type of an enum's raw values, or `nil` if it has none.
  func rawType(of index: SourceType.Index) -> AttributeType? {
    for type in types[index].inherited {
      let resolved = resolve(type, from: types[index].parent, file: types[index].file)
      if case .sdk(.scalar(let type)) = resolved { return type }
    }
    return nil
  }
}

// MARK: - Structs

extension TypeTable {
  /// Returns the form of a struct: one leaf for each stored property.
  func structure(
    _ found: SourceType, _ index: SourceType.Index
  ) throws(UnknownForm) -> AttributeForm {
    guard !found.inherits("RawRepresentable"), !found.inherits("OptionSet") else {
      throw UnknownForm(
        rule: .unknownType,
        message: "how SwiftData stores the raw representable struct '\(found.name)' isn't known")
    }
    var form = AttributeForm(type: .composite)
    for property in found.members where property.kind == .stored && !property.isOfType {
      let name = "\(found.name).\(property.name)"
      guard !property.modifiers.contains("lazy"), !property.hasWrapper else {
        throw UnknownForm(
          rule: .unknownType,
          message: "how SwiftData stores '\(name)', which is lazy or has a property wrapper, "
            + "isn't known")
      }
      guard let type = type(of: property, in: index, file: found.file) else {
        throw UnknownForm(
          rule: .unknownType, message: "the type of '\(name)' isn't known; write it down")
      }
      form.elements.append(try leaf(property.name, type, in: index))
      let isConstant = property.modifiers.contains("let") && property.value != nil
      if isConstant || isUnconfirmed(type, in: index) {
        form.unproven.append("how SwiftData stores '\(name)'")
      }
    }
    if form.elements.isEmpty {
      form.unproven.append("how SwiftData stores '\(found.name)', which has no stored property")
    }
    if hasOwnCoding(found, index, form.elements.map(\.name)) {
      form.unproven.append("how SwiftData stores '\(found.name)', which has its own coding")
    }
    return form
  }

  /// Whether a struct codes other keys than its properties, or has functions to code it.
  private func hasOwnCoding(
    _ found: SourceType, _ index: SourceType.Index, _ properties: [String]
  ) -> Bool {
    if found.members.contains(where: { $0.kind == .coding }) { return true }
    guard case .declared(let keys) = find("CodingKeys", from: index, file: found.file),
      types[keys].parent == index
    else { return false }
    let cases = types[keys].members.filter { $0.kind == .enumCase }
    return Set(cases.map(\.name)) != Set(properties)
      || cases.contains { $0.value.map(\.text) ?? $0.name != $0.name }
  }
}

extension SwiftDeclaration {
  /// Whether the property has an attribute that may be a property wrapper.
  fileprivate var hasWrapper: Bool {
    attributes.contains { attribute in
      let name = attribute.name.split(separator: ".").last.map(String.init) ?? ""
      return !ModelClass.harmless.contains(name)
    }
  }
}
