import SourceDeclarations

/// A condition of `#if`, as it is for an iOS app that is built for release.
///
/// Flags of the app's own count as not set.
struct BuildCondition {
  private let expression: SwiftExpression

  init(_ expression: SwiftExpression) {
    self.expression = expression
  }

  /// Whether the clause is compiled.
  var holds: Bool {
    switch expression.kind {
    case .boolean: expression.text == "true"
    case .operator: !BuildCondition(expression.arguments[0].value).holds
    case .call: holdsCall
    case .sequence: holdsSequence
    case .string, .integer, .real, .nil, .name, .type, .array, .dictionary, .keyPath, .cast,
      .other:
      false
    }
  }

  private var holdsCall: Bool {
    let argument = expression.arguments.first?.value.text ?? ""
    return switch expression.text {
    case "os": argument == "iOS"
    case "arch": argument == "arm64"
    case "canImport": Self.frameworks.contains(argument)
    case "swift", "compiler", "hasFeature", "hasAttribute": true
    default: false
    }
  }

  /// `&&` binds more strongly than `||`.
  private var holdsSequence: Bool {
    let parts = expression.arguments.map(\.value)
    return parts.split { $0.kind == .operator && $0.text == "||" && $0.arguments.isEmpty }
      .contains { part in
        part.filter { !($0.kind == .operator && $0.arguments.isEmpty) }
          .allSatisfy { BuildCondition($0).holds }
      }
  }

  private static let frameworks: Set<String> = [
    "CloudKit", "Combine", "CoreData", "CoreLocation", "Foundation", "HealthKit", "MapKit",
    "Observation", "Swift", "SwiftData", "SwiftUI", "UIKit", "WidgetKit",
  ]

  /// The condition as text, as in the source.
  var text: String { Self.text(expression) }

  private static func text(_ expression: SwiftExpression) -> String {
    let parts = expression.arguments.map { text($0.value) }
    return switch expression.kind {
    case .call: "\(expression.text)(\(parts.joined(separator: ", ")))"
    case .sequence: parts.joined(separator: " ")
    case .operator: expression.text + parts.joined()
    case .string, .integer, .real, .boolean, .nil, .name, .type, .array, .dictionary, .keyPath,
      .cast, .other:
      expression.text
    }
  }
}

/// A decision about the clauses of `#if`, which a finding reports if it decides about a model.
struct TakenClause: Hashable {
  /// The position of the first clause.
  let position: SwiftPosition

  /// What is read, as a sentence.
  let message: String
}

extension [SwiftDeclaration] {
  /// Replaces the clauses of `#if` by the declarations of those that are compiled.
  ///
  /// Each declaration from a clause comes with the decisions that led to it.
  func compiled(_ decided: [TakenClause] = []) -> [(declaration: Element, clauses: [TakenClause])] {
    var result: [(Element, [TakenClause])] = []
    var position = startIndex
    while position < endIndex {
      guard self[position].kind == .clause else {
        result.append((self[position], decided))
        position += 1
        continue
      }
      var end = position + 1
      while end < endIndex, self[end].kind == .clause, self[end].name != "if" { end += 1 }
      let clauses = self[position..<end]
      position = end
      let taken = clauses.first { $0.value.map { BuildCondition($0).holds } ?? true }
      if let taken {
        let members = taken.members.compiled(decided + [TakenClause(clauses, taken)])
        result += members
      }
    }
    return result
  }

  /// The decisions about stored properties, cases and macros among the declarations.
  var decisions: [TakenClause] {
    var result: [TakenClause] = []
    for position in indices where self[position].kind == .clause && self[position].name == "if" {
      let clauses = self[position...].prefix { $0.kind == .clause }
      let group = clauses.prefix(1) + clauses.dropFirst().prefix { $0.name != "if" }
      guard group.contains(where: { $0.members.contains(where: \.countsInModels) }) else {
        continue
      }
      let taken = group.first { $0.value.map { BuildCondition($0).holds } ?? true }
      result.append(TakenClause(group, taken))
      result += taken?.members.decisions ?? []
    }
    return result
  }
}

extension SwiftDeclaration {
  /// Whether the declaration counts in the model of the type around it.
  fileprivate var countsInModels: Bool {
    switch kind {
    case .stored, .enumCase, .macro: true
    case .clause: members.contains(where: \.countsInModels)
    case .class, .struct, .enum, .actor, .protocol, .extension, .alias, .computed, .parameter,
      .failableInitializer:
      false
    }
  }
}

extension TakenClause {
  fileprivate init(_ clauses: ArraySlice<SwiftDeclaration>, _ taken: SwiftDeclaration?) {
    position = clauses.first?.position ?? SwiftPosition(line: 1, column: 1)
    let condition = clauses.first?.value.map { BuildCondition($0).text } ?? ""
    let read =
      switch taken?.name {
      case nil: "nothing of it is read"
      case "if": "the declarations after '#if' are read"
      case "elseif": "the declarations after '#elseif' are read"
      case let word?: "the declarations after '#\(word)' are read"
      }
    message =
      "'#if \(condition)' decides about the model: \(read), as for an iOS app built for release"
  }
}
