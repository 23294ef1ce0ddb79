import SourceDeclarations

/// A `VersionedSchema` in Swift source.
package struct SourceVersion: Hashable, Sendable {
  /// The type's name, with the names of the types around it.
  package let name: String

  /// The version identifier as `major.minor.patch`, or `nil` if it isn't a literal.
  package let identifier: String?

  /// The place of the type.
  package let place: SwiftPlace

  /// The classes that it lists.
  let classes: [SourceType.Index]

  /// The type.
  let index: SourceType.Index

  /// What can't be known about it.
  let findings: [SourceFinding]

  /// The numbers of the identifier, for comparison.
  var numbers: [Int] { identifier?.split(separator: ".").compactMap { Int($0) } ?? [] }
}

/// A `SchemaMigrationPlan` in Swift source.
package struct SourcePlan: Hashable, Sendable {
  /// The type's name, with the names of the types around it.
  package let name: String

  /// The place of the type.
  package let place: SwiftPlace

  /// The names of the versions in its `schemas`.
  package let versions: [String]

  /// Whether each element of its `schemas` is known.
  let isComplete: Bool

  /// The stages, in order.
  package let stages: [Stage]

  /// A stage of the plan.
  package struct Stage: Hashable, Sendable {
    /// The name of the version that it begins with.
    package let from: String

    /// The name of the version that it leads to.
    package let to: String

    /// Whether it is a custom stage.
    package let isCustom: Bool

    /// The place of the property that has it.
    package let place: SwiftPlace
  }
}

/// An element of a static array, and the type in which it is written.
struct StaticElement {
  let value: SwiftExpression
  let scope: SourceType.Index
}

extension TypeTable {
  /// The versions, in the order of their identifiers.
  func versions() -> [SourceVersion] {
    types.indices.filter { isType($0, conformingTo: "VersionedSchema") }.map { version($0) }
      .sorted { ($0.numbers, $0.name) < ($1.numbers, $1.name) }
  }

  private func version(_ index: SourceType.Index) -> SourceVersion {
    let type = types[index]
    var findings: [SourceFinding] = []
    var classes: [SourceType.Index] = []
    let property = type.members.first { $0.name == "models" && $0.isOfType }
    let place = type.place(of: property?.position ?? type.declaration.position)
    for element in elements(of: "models", in: index) {
      guard let element, element.value.kind == .type, let written = element.value.type else {
        findings.append(
          SourceFinding(
            .error, .unknownValue, at: place, type.qualifiedName,
            "the 'models' of '\(type.qualifiedName)' aren't a list of classes"))
        continue
      }
      switch resolve(written, from: element.scope, file: types[element.scope].file) {
      case .model(let index): classes.append(index)
      case .unknown(let rule, let message):
        findings.append(SourceFinding(.error, rule, at: place, type.qualifiedName, message))
      case .optional, .array, .collection, .sdk, .value:
        findings.append(
          SourceFinding(
            .error, .unknownType, at: place, type.qualifiedName,
            "'\(written)' isn't a class with '@Model'"))
      }
    }
    let identifier = identifier(of: index)
    if identifier == nil {
      findings.append(
        SourceFinding(
          .note, .unknownValue, at: type.place, type.qualifiedName,
          "the 'versionIdentifier' of '\(type.qualifiedName)' isn't a literal, so it isn't known"))
    }
    return SourceVersion(
      name: type.qualifiedName, identifier: identifier, place: type.place, classes: classes,
      index: index, findings: findings)
  }

  /// Returns `1.2.3` of `Schema.Version(1, 2, 3)`.
  private func identifier(of index: SourceType.Index) -> String? {
    types[index].members.first { $0.name == "versionIdentifier" && $0.isOfType }?
      .value?.versionIdentifier
  }

  /// Returns the elements of a static array, which may be a sum of arrays.
  ///
  /// An element is `nil` if a part of the sum isn't known.
  func elements(
    of name: String, in index: SourceType.Index, depth: Int = 0
  ) -> [StaticElement?] {
    guard depth < 16,
      let value = types[index].members.first(where: { $0.name == name && $0.isOfType })?.value
    else { return [nil] }
    return elements(of: value, in: index, depth: depth)
  }

  private func elements(
    of value: SwiftExpression, in index: SourceType.Index, depth: Int
  ) -> [StaticElement?] {
    switch value.kind {
    case .array: return value.arguments.map { StaticElement(value: $0.value, scope: index) }
    case .sequence:
      return value.arguments.map(\.value).flatMap { part -> [StaticElement?] in
        guard part.kind == .operator else { return elements(of: part, in: index, depth: depth) }
        return part.text == "+" ? [] : [nil]
      }
    case .name:
      var parts = value.text.split(separator: ".").map(String.init)
      guard let name = parts.popLast() else { return [nil] }
      if parts.isEmpty { return elements(of: name, in: index, depth: depth + 1) }
      let type = find(
        parts.joined(separator: "."), from: index, file: types[index].file)
      guard case .declared(let other) = followed(type) else { return [nil] }
      return elements(of: name, in: other, depth: depth + 1)
    case .cast: return elements(of: value.arguments[0].value, in: index, depth: depth)
    case .string, .integer, .real, .boolean, .nil, .type, .call, .dictionary, .keyPath,
      .operator, .other:
      return [nil]
    }
  }

  /// The migration plans, in the order of the source.
  func plans() -> [SourcePlan] {
    types.indices.filter { isType($0, conformingTo: "SchemaMigrationPlan") }.map { index in
      let type = types[index]
      func name(_ expression: SwiftExpression?, in scope: SourceType.Index) -> String? {
        guard let written = expression?.type,
          case .declared(let found) = followed(
            find(written.name, from: scope, file: types[scope].file))
        else { return nil }
        return types[found].qualifiedName
      }
      let stages = elements(of: "stages", in: index).compactMap { element -> SourcePlan.Stage? in
        guard let element else { return nil }
        var call = element.value
        var position = type.member("stages")?.position ?? type.declaration.position
        if call.kind == .name, let last = call.text.split(separator: ".").last,
          let property = type.members.first(where: { $0.name == last && $0.isOfType }),
          let value = property.value
        {
          call = value
          position = property.position
        }
        guard let from = name(call.arguments["fromVersion"], in: element.scope),
          let to = name(call.arguments["toVersion"], in: element.scope)
        else { return nil }
        return SourcePlan.Stage(
          from: from, to: to, isCustom: call.text.hasSuffix("custom"),
          place: type.place(of: position))
      }
      let schemas = elements(of: "schemas", in: index).map { element in
        element.flatMap { name($0.value, in: $0.scope) }
      }
      return SourcePlan(
        name: type.qualifiedName, place: type.place, versions: schemas.compactMap(\.self),
        isComplete: !schemas.contains(nil), stages: stages)
    }
  }
}

extension SwiftExpression {
  /// The text `1.2.3` of `Schema.Version(1, 2, 3)`; `nil` for other expressions.
  var versionIdentifier: String? {
    guard kind == .call, arguments.count == 3,
      arguments.allSatisfy({ $0.value.kind == .integer })
    else { return nil }
    return arguments.map(\.value.text).joined(separator: ".")
  }
}

/// Compares version numbers, and names where they are equal.
private func < (one: ([Int], String), other: ([Int], String)) -> Bool {
  one.0 == other.0 ? one.1 < other.1 : one.0.lexicographicallyPrecedes(other.0)
}
