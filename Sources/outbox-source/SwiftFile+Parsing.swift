import SourceDeclarations
import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

extension SwiftFile {
  /// Parses a source file.
  init(path: String, source: [UInt8]) {
    let tree = Parser.parse(source: String(decoding: source, as: UTF8.self))
    let converter = SourceLocationConverter(fileName: path, tree: tree)
    let reader = DeclarationReader(converter: converter)
    let calls = CallReader(reader)
    calls.walk(tree)
    var syntaxError: SwiftSyntaxError?
    if tree.hasError {
      let first = ParseDiagnosticsGenerator.diagnostics(for: tree).first { $0.isError }
      syntaxError = first.map {
        SwiftSyntaxError(position: reader.position(of: $0.position), message: $0.message)
      }
    }
    self.init(
      path: path, declarations: reader.declarations(in: tree.statements), calls: calls.calls,
      syntaxError: syntaxError)
  }
}

extension Diagnostic {
  fileprivate var isError: Bool { diagMessage.severity == .error }
}

/// Collects the calls of `ModelConfiguration` in a file.
private final class CallReader: SyntaxVisitor {
  private(set) var calls: [SwiftAttribute] = []
  private let reader: DeclarationReader

  init(_ reader: DeclarationReader) {
    self.reader = reader
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if node.calledExpression.trimmedDescription == "ModelConfiguration" {
      calls.append(
        SwiftAttribute(
          "ModelConfiguration", at: reader.position(of: node),
          arguments: node.arguments.map { SwiftArgument($0) }))
    }
    return .visitChildren
  }
}
