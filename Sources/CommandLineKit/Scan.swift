/// Sorts the words of a command line into options and arguments.
struct Scan {
  private var words: ArraySlice<String>
  private var arguments: [Declaration] = []
  private var named: [String: (declaration: Declaration, id: String)] = [:]
  private var occurrences: [String: [Occurrence]] = [:]
  private var values: [String] = []

  /// A Boolean value indicating whether `--` has been read.
  private(set) var optionsHaveEnded = false

  /// The first error.
  ///
  /// Scanning continues after it, because a later word may ask for help.
  private(set) var failure: UsageError?

  init(_ words: [String], declarations: [Declaration]) {
    self.words = words[...]
    declare(declarations)
  }

  /// The words that aren't read yet.
  var remainingWords: [String] { Array(words) }

  /// Adds the parameters of a command.
  mutating func declare(_ declarations: [Declaration]) {
    for declaration in declarations {
      if declaration.kind == .argument { arguments.append(declaration) }
      // Exclusive flags belong to one parameter, whose identifier is that of the first flag.
      let id = ([declaration.id] + declaration.excludes).compactMap { named[$0]?.id }.first
      for name in declaration.names { named[name] = (declaration, id ?? declaration.id) }
    }
  }

  /// Reads options up to the next other word, and returns that word.
  mutating func nextWord() -> String? {
    while let word = words.popFirst() {
      if optionsHaveEnded || !isOption(word) { return word }
      if word == "--" {
        optionsHaveEnded = true
        continue
      }
      do throws(UsageError) {
        try readOption(word)
      } catch {
        failure = failure ?? error
      }
    }
    return nil
  }

  /// Reads all remaining words.
  mutating func collectArguments() {
    while let word = nextWord() { values.append(word) }
  }

  /// A Boolean value indicating whether a flag was given.
  func found(_ flag: Flag) -> Bool { occurrences[flag.id] != nil }

  private func isOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-"
      && (!word.isNegativeNumber || named[String(word.prefix(2))] != nil)
  }
}

extension Scan {
  private mutating func readOption(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let value = parts.count == 2 ? String(parts[1]) : nil
    if named[name] != nil { return try record(name, value: value) }
    let letters = name.dropFirst().map { "-\($0)" }
    // '-to' is a long name with a missing dash, unless all its letters are short names.
    guard !name.hasPrefix("--"), letters.allSatisfy({ named[$0] != nil }),
      let last = letters.last
    else {
      let shown = named.filter { !$0.value.declaration.isHidden && !$0.key.isShortName }
      throw .unknownOption(name, suggestion: nearest(to: name, among: shown.keys.sorted()))
    }
    for letter in letters.dropLast() { try record(letter, value: nil, canTakeNextWord: false) }
    try record(last, value: value)
  }

  private mutating func record(
    _ name: String, value: String?, canTakeNextWord: Bool = true
  ) throws(UsageError) {
    guard let (declaration, id) = named[name] else { return }
    var value = value
    if declaration.kind == .flag {
      if let value { throw .unexpectedValue(value, option: name) }
    } else if value == nil {
      let next = canTakeNextWord ? words.first : nil
      guard let next, !next.hasPrefix("-") || next == "-" || next.isNegativeNumber else {
        throw .missingValue(option: name, valueName: declaration.valueName, next: next)
      }
      value = next
      words.removeFirst()
    }
    occurrences[id, default: []].append(Occurrence(name: name, value: value ?? ""))
  }
}

extension Scan {
  /// Returns the values of parameters, by identifier.
  mutating func values(of parameters: [any Parameter]) throws(UsageError) -> [String: any Sendable]
  {
    try assignArguments()
    var result: [String: any Sendable] = [:]
    for parameter in parameters {
      result[parameter.id] = try parameter.erasedValue(of: occurrences[parameter.id] ?? [])
    }
    return result
  }

  /// Distributes the words to the arguments, so that each gets its minimum.
  private mutating func assignArguments() throws(UsageError) {
    var rest = values[...]
    var needed = arguments.reduce(0) { $0 + $1.minimum }
    for argument in arguments {
      needed -= argument.minimum
      let spare = max(rest.count - needed, min(argument.minimum, rest.count))
      let taken = rest.prefix(argument.repeats ? spare : min(spare, 1))
      rest = rest.dropFirst(taken.count)
      occurrences[argument.id] = taken.map { Occurrence(name: argument.label, value: $0) }
    }
    if let extra = rest.first { throw .unexpectedArgument(extra) }
  }
}

extension Parameter {
  fileprivate func erasedValue(of occurrences: [Occurrence]) throws(UsageError) -> any Sendable {
    try value(of: occurrences)
  }
}
