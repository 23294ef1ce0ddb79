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

  /// Whether each part of the condition is known for an iOS app that is built for release.
  ///
  /// Flags of the app's own aren't, nor are the language mode and the compiler.
  var isKnown: Bool {
    switch expression.kind {
    case .boolean: true
    case .name: expression.text == "DEBUG"
    case .call: ["os", "arch", "canImport", "targetEnvironment"].contains(expression.text)
    case .operator, .sequence: expression.arguments.allSatisfy { BuildCondition($0.value).isKnown }
    case .string, .integer, .real, .nil, .type, .array, .dictionary, .keyPath, .cast, .other: false
    }
  }

  /// What a finding adds if the condition isn't known.
  var doubt: String { isKnown ? "" : "; whether that holds for the app isn't known" }

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
