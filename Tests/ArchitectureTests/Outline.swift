/// What a source file declares and decides about, read from its tokens.
///
/// It is no parser: it follows braces and the words that declare something.
struct Outline {
  private(set) var declarations: [Declaration] = []
  private(set) var functions: [FunctionBody] = []
  private(set) var switches: [SwitchStatement] = []

  private enum Block {
    case type(String, isExtension: Bool)
    case function(name: String, line: Int)
    case decision(SwitchStatement)
    case other
  }

  private let tokens: [SwiftToken]
  private var place = 0
  private var blocks: [Block] = []

  /// How many parentheses and brackets are open, and at how many the next body begins.
  private var depth = 0
  private var pending: (block: Block, depth: Int)?

  init(_ tokens: [SwiftToken]) {
    self.tokens = tokens
    while place < tokens.count {
      read(tokens[place])
      place += 1
    }
  }

  private func token(_ distance: Int) -> SwiftToken? {
    tokens.indices.contains(place + distance) ? tokens[place + distance] : nil
  }

  private var scope: Declaration.Scope {
    switch blocks.last {
    case nil: .file
    case .type(let name, let isExtension): .type(name, isExtension: isExtension)
    case _: .block
    }
  }

  private mutating func read(_ token: SwiftToken) {
    switch token.kind {
    case .symbol: readSymbol(token.text)
    case .identifier where self.token(-1)?.text != "." || self.token(-1)?.kind != .symbol:
      readWord(token)
    case .identifier, .quoted, .number, .string: break
    }
  }

  private mutating func readSymbol(_ sign: String) {
    switch sign {
    case "(", "[": depth += 1
    case ")", "]": depth -= 1
    case "{": open()
    case "}": close()
    default: break
    }
  }

  private mutating func open() {
    if let pending, pending.depth == depth {
      blocks.append(pending.block)
      self.pending = nil
    } else {
      blocks.append(.other)
      readClosureParameters()
    }
  }

  private mutating func close() {
    let line = tokens[place].line
    switch blocks.popLast() {
    case .function(let name, let start):
      functions.append(FunctionBody(name: name, line: start, lineCount: line - start + 1))
    case .decision(let statement): switches.append(statement)
    case .type, .other, nil: break
    }
    if let pending, pending.depth == depth { self.pending = nil }
  }

  // MARK: - Words

  private mutating func readWord(_ token: SwiftToken) {
    switch token.text {
    case "struct", "enum", "actor", "protocol": readType(token)
    case "class" where self.token(1)?.kind == .identifier && !isModifier: readType(token)
    case "extension": readExtension()
    case "typealias", "associatedtype": declare(token.text, at: 1)
    case "func", "init", "deinit", "subscript": readFunction(token)
    case "let", "var": readVariable(token)
    case "for": declare("parameter", at: 1)
    case "switch": readSwitch(token)
    case "case": readCase()
    case "default": readDefault()
    default: break
    }
  }

  /// Whether `class` stands before a member, which it describes.
  private var isModifier: Bool { ["func", "var", "subscript", "let"].contains(token(1)?.text) }

  private mutating func declare(_ keyword: String, at distance: Int, inherited: [String] = []) {
    guard let name = token(distance), name.kind == .identifier || name.kind == .quoted,
      name.text != "_"
    else { return }
    declarations.append(
      Declaration(
        keyword: keyword, name: name.text, line: name.line, scope: scope, inherited: inherited))
  }

  private mutating func readType(_ token: SwiftToken) {
    guard let name = self.token(1), name.kind == .identifier || name.kind == .quoted else { return }
    declare(token.text, at: 1, inherited: inheritance(from: 2))
    pending = (.type(name.text, isExtension: false), depth)
  }

  /// The names between here and the brace.
  private func inheritance(from distance: Int) -> [String] {
    var names: [String] = []
    var next = distance
    while let token = token(next), !token.is("{"), !token.is("where") {
      if token.kind == .identifier { names.append(token.text) }
      next += 1
    }
    return names
  }

  /// Reads an extension's name, with its path: `Plan.Row`.
  private mutating func readExtension() {
    var name = ""
    var next = 1
    while let token = token(next), token.kind == .identifier || token.is(".") {
      name += token.text
      next += 1
    }
    declarations.append(
      Declaration(
        keyword: "extension", name: name, line: tokens[place].line, scope: scope,
        inherited: inheritance(from: next)))
    pending = (.type(name, isExtension: true), depth)
  }

  private mutating func readFunction(_ token: SwiftToken) {
    // `self.init(…)` isn't read, as a point stands before it; a call of `init` has no scope of a type.
    let isMember = if case .type = scope { true } else { false }
    guard token.text == "func" || isMember else { return }
    if token.text == "func" { declare("func", at: 1) }
    readParameters()
    let name = token.text == "func" ? self.token(1)?.text ?? "" : token.text
    pending = (.function(name: name, line: token.line), depth)
  }

  /// Declares the names in a function's parentheses.
  private mutating func readParameters() {
    var next = 1
    while let token = token(next), !token.is("("), !token.is("{") { next += 1 }
    guard token(next)?.is("(") == true else { return }
    var open = 1
    next += 1
    while let token = token(next), open > 0 {
      if token.is("(") || token.is("[") { open += 1 }
      if token.is(")") || token.is("]") { open -= 1 }
      if open == 1, token.is(":") {
        declare("parameter", at: next - 1)
        if self.token(next - 2)?.kind == .identifier { declare("parameter", at: next - 2) }
      }
      next += 1
    }
  }

  /// Declares `a` and `b` of `{ a, b in` and of `{ (a, b) in`.
  private mutating func readClosureParameters() {
    var next = 1
    while let token = token(next),
      token.kind == .identifier || token.is(",") || token.is("(") || token.is(")")
    {
      if token.is("in") {
        for distance in 1..<next { declare("parameter", at: distance) }
        return
      }
      next += 1
    }
  }

  private mutating func readVariable(_ token: SwiftToken) {
    if self.token(1)?.is("(") == true {
      var next = 2
      while let part = self.token(next), part.kind == .identifier || part.is(",") {
        declare("parameter", at: next)
        next += 1
      }
      return
    }
    declare(token.text, at: 1)
    if token.text == "var", let name = self.token(1) {
      // A variable without accessors leaves this until the next declaration.
      pending = (.function(name: name.text, line: token.line), depth)
      if !hasAccessors { pending = nil }
    }
  }

  /// Whether a variable's type is followed by a brace, without a value before.
  private var hasAccessors: Bool {
    var next = 2
    var open = 0
    guard token(2)?.is(":") == true else { return false }
    while let token = token(next) {
      if token.is("(") || token.is("[") { open += 1 }
      if token.is(")") || token.is("]") { open -= 1 }
      if open < 0 || open == 0 && (token.is("=") || token.is("}") || token.is(",")) { return false }
      if open == 0, token.is("{") { return true }
      if open == 0, ["var", "let", "func", "case", "init"].contains(token.text) { return false }
      next += 1
    }
    return false
  }

  // MARK: - Decisions

  private mutating func readSwitch(_ token: SwiftToken) {
    var subject: [String] = []
    var next = 1
    while let token = self.token(next), !token.is("{") {
      subject.append(token.text)
      next += 1
    }
    let type: String? = blocks.reversed().lazy.compactMap { block in
      if case .type(let name, _) = block { name } else { nil }
    }.first
    pending = (
      .decision(SwitchStatement(line: token.line, subject: subject, typeName: type)), depth
    )
  }

  private mutating func readCase() {
    if case .type = blocks.last {
      readEnumCases()
      return
    }
    guard case .decision(var statement) = blocks.last,
      !["if", "guard", "while", "for", ","].contains(token(-1)?.text)
    else { return }
    var next = 1
    var open = 0
    while let token = token(next), open > 0 || !token.is(":") {
      if token.is("(") || token.is("[") || token.is("{") { open += 1 }
      if token.is(")") || token.is("]") || token.is("}") { open -= 1 }
      if open == 0, token.is("where") { break }
      if open == 0, token.is("."), let name = self.token(next + 1) {
        statement.cases.append(name.text)
      }
      next += 1
    }
    blocks[blocks.count - 1] = .decision(statement)
  }

  private mutating func readEnumCases() {
    declare("case", at: 1)
    var next = 2
    var open = 0
    while let token = token(next) {
      if token.is("(") || token.is("[") { open += 1 }
      if token.is(")") || token.is("]") { open -= 1 }
      if open == 0, token.is(",") {
        declare("case", at: next + 1)
      } else if open == 0, !token.is(")"), !token.is("="), token.kind == .symbol, !token.is(".") {
        return
      } else if open == 0, token.kind == .identifier, self.token(next - 1)?.is(",") != true {
        return
      }
      next += 1
    }
  }

  private mutating func readDefault() {
    guard case .decision(var statement) = blocks.last, token(1)?.is(":") == true else { return }
    statement.hasDefault = true
    blocks[blocks.count - 1] = .decision(statement)
  }
}
