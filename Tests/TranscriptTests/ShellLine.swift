/// The commands of a line for a shell, as far as documents use its grammar.
struct ShellLine {
  /// The words of each command, without redirections, assignments before them, and comments.
  private(set) var commands: [[String]] = []

  private var words: [String] = []
  private var word: String?
  private var quote: Character?

  init(_ line: String) {
    for character in line {
      if quote == nil, word == nil, character == "#" { break }
      add(character)
    }
    endCommand()
  }

  private mutating func add(_ character: Character) {
    if let open = quote {
      if character == open { quote = nil } else { word?.append(character) }
      return
    }
    switch character {
    case "'", "\"":
      quote = character
      word = word ?? ""
    case " ": endWord()
    case "|", ";", "&": endCommand()
    case ">", "<":
      endWord()
      words.append(">")
    default: word = (word ?? "") + String(character)
    }
  }

  private mutating func endWord() {
    guard let word else { return }
    self.word = nil
    if words.last == ">" {
      words.removeLast()
      if words.last == ">" { words.removeLast() }
    } else if !words.isEmpty || !word.contains(/^[A-Z_]+=/) {
      words.append(word)
    }
  }

  private mutating func endCommand() {
    endWord()
    if !words.isEmpty { commands.append(words) }
    words = []
  }
}
