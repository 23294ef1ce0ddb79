import SourceDeclarations
import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

extension SwiftFile {
  /// Parses a source file.
  init(path: String, source: [UInt8]) {
    if let error = Self.unreadable(in: source) {
      self.init(path: path, declarations: [], syntaxError: error)
      return
    }
    guard let text = String(validating: source, as: UTF8.self) else {
      self.init(path: path, declarations: [], syntaxError: Self.invalidText(in: source))
      return
    }
    let tree = Parser.parse(source: text)
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
    let nesting = NestingReader(viewMode: .sourceAccurate)
    nesting.walk(tree)
    if let place = nesting.tooDeep, syntaxError == nil {
      syntaxError = SwiftSyntaxError(
        position: reader.position(of: place), message: "nested too deeply")
    }
    self.init(
      path: path, declarations: reader.declarations(in: tree.statements), calls: calls.calls,
      syntaxError: syntaxError)
  }
}

extension SwiftFile {
  /// Returns an error at a NUL byte, or if more than 16 `[` or 5,000 `>` follow each other.
  ///
  /// SwiftParser's time doubles with each `[` inside another in a type. It reads the rest of a row
  /// of `>` again after each. The compiler warns of NUL bytes, and reads on as if there were none.
  private static func unreadable(in source: [UInt8]) -> SwiftSyntaxError? {
    var (line, column, count) = (1, 0, 0)
    var last: UInt8 = 0
    for byte in source {
      if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) } else { column += 1 }
      count = byte == last ? count + 1 : 1
      last = byte
      let message: String? =
        switch byte {
        case 0: "there is a NUL byte; remove it"
        case UInt8(ascii: "[") where count > 16: "nested too deeply"
        case UInt8(ascii: ">") where count > 5_000: "nested too deeply"
        default: nil
        }
      guard let message else { continue }
      return SwiftSyntaxError(
        position: SwiftPosition(line: line, column: column), message: message)
    }
    return nil
  }
}

extension SwiftFile {
  /// Returns an error at the first bytes that aren't UTF-8.
  private static func invalidText(in source: [UInt8]) -> SwiftSyntaxError {
    var (line, column) = (1, 1)
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = source.makeIterator()
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) {
      let isEnd = scalar.elementsEqual([UInt8(ascii: "\n")])
      (line, column) = isEnd ? (line + 1, 1) : (line, column + scalar.count)
    }
    return SwiftSyntaxError(
      position: SwiftPosition(line: line, column: column),
      message: "the bytes aren't UTF-8; save the text as UTF-8")
  }

  /// Returns a file that isn't read, with the reason as an error.
  static func unread(_ path: String, _ reason: String) -> SwiftFile {
    SwiftFile(
      path: path, declarations: [],
      syntaxError: SwiftSyntaxError(
        position: SwiftPosition(line: 1, column: 1),
        message: "the file \(reason); give a folder without it"))
  }
}

extension Diagnostic {
  fileprivate var isError: Bool { diagMessage.severity == .error }
}

/// Finds the first declarations that are nested too deeply to be read.
private final class NestingReader: SyntaxVisitor {
  private(set) var tooDeep: AbsolutePosition?
  private var depth = 0

  override func visit(_ node: MemberBlockSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visitPost(_ node: MemberBlockSyntax) { depth -= 1 }
  override func visitPost(_ node: IfConfigClauseSyntax) { depth -= 1 }

  private func enter(_ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
    depth += 1
    if depth > DeclarationReader.maximumDepth, tooDeep == nil {
      tooDeep = node.positionAfterSkippingLeadingTrivia
    }
    return .visitChildren
  }
}

/// Collects the calls of `ModelConfiguration` and those that may list classes in a file.
private final class CallReader: SyntaxVisitor {
  private static let names: Set<String> = [
    "ModelConfiguration", "ModelContainer", "Schema", "modelContainer",
  ]

  private(set) var calls: [SwiftAttribute] = []
  private let reader: DeclarationReader

  init(_ reader: DeclarationReader) {
    self.reader = reader
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let member = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    let name = member ?? node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    if let name, Self.names.contains(name) {
      calls.append(
        SwiftAttribute(
          name, at: reader.position(of: node), arguments: node.arguments.map { SwiftArgument($0) }))
    }
    return .visitChildren
  }
}
