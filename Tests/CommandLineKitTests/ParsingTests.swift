import CommandLineKit
import Testing

@Suite struct ParsingTests {
  /// The command that the words request, or `nil` if they request a text.
  private func command(_ line: String) throws -> (any Command<Desk>)? {
    guard case .run(let command, path: _) = try library.request(words(line)) else { return nil }
    return command
  }

  @Test(arguments: [
    "find whale --format json",
    "find whale --format=json",
    "find --format json whale",
    "--catalogue Cards find --format json whale",
    "find --format=json -- whale",
    "find -c Cards --format=json whale",
    "find -c=Cards --format=json whale",
  ])
  func `an option may stand anywhere, its value after a space or an equals sign`(
    line: String
  ) throws {
    var expected = Find()
    expected.words = ["whale"]
    expected.format = .json
    #expect(try command(line) as? Find == expected)
  }

  @Test(arguments: ["find -qvn 5 whale", "find -q -v -n=5 whale", "find whale -qvn=5 -qv"])
  func `short names may share a dash, the last one taking a value`(line: String) throws {
    var expected = Find()
    expected.words = ["whale"]
    expected.globals.quiet = true
    expected.verbose = true
    expected.limit = 5
    #expect(try command(line) as? Find == expected)
  }

  @Test(arguments: [
    ("find a -- --format -n --", ["a", "--format", "-n", "--"]),
    ("find - -5 -0.5", ["-", "-5", "-0.5"]),
    ("find help", ["help"]),
    ("find plan=x", ["plan=x"]),
  ])
  func `words that aren't options are arguments, and all are after two dashes`(
    line: String, expected: [String]
  ) throws {
    #expect(try (command(line) as? Find)?.words == expected)
  }

  @Test(arguments: [
    ("find a", []),
    ("find a --skip poems --skip=plays", ["poems", "plays"]),
    ("find a --skip=-x --skip - --skip -1 --skip=", ["-x", "-", "-1", ""]),
    ("find a --skip=a=b", ["a=b"]),
  ])
  func `an option may be repeated, with values that look like options`(
    line: String, expected: [String]
  ) throws {
    #expect(try (command(line) as? Find)?.skip == expected)
  }

  @Test(
    arguments: [
      ("lend 7", .seconds(120)),
      ("lend 7 --for 500ms", .milliseconds(500)),
      ("lend 7 --for 10s", .seconds(10)),
      ("lend 7 --for 2m", .seconds(120)),
      ("lend 7 --for 3h", .seconds(10_800)),
      ("lend 7 --for 0s", .zero),
    ] as [(String, Duration)])
  func `a duration has a unit`(line: String, expected: Duration) throws {
    #expect(try (command(line) as? Lend)?.period == expected)
  }

  @Test(
    arguments: [
      (.milliseconds(500), "500ms"), (.milliseconds(1_500), "1500ms"), (.seconds(10), "10s"),
      (.seconds(90), "90s"), (.seconds(120), "2m"), (.zero, "0s"),
    ] as [(Duration, String)])
  func `a duration is shown as it is typed`(duration: Duration, text: String) throws {
    #expect(duration.argumentText == text)
    #expect(try Duration(argument: text) == duration)
  }

  @Test(
    arguments: [
      ("lend 7", nil), ("lend 7 --keep-marks", .keep), ("lend --erase-marks 7", .erase),
      ("lend --erase-marks 7 --erase-marks", .erase),
    ] as [(String, Marks?)])
  func `flags that exclude each other can't be combined`(line: String, expected: Marks?) throws {
    #expect(try (command(line) as? Lend)?.marks == expected)
  }

  @Test func `an optional argument, a hidden option and a negative value are read`() throws {
    var expected = Lend()
    expected.book = 7
    expected.reader = "-5"
    expected.seed = 18_446_744_073_709_551_615
    #expect(try command("lend 7 -5 --seed 18446744073709551615") as? Lend == expected)
  }

  @Test func `an argument that repeats leaves words for the next one`() throws {
    var expected = Copy()
    expected.stamp = -3
    expected.box = "box"
    #expect(try command("copy box --stamp -3") as? Copy == expected)
    expected.cards = ["a", "b"]
    #expect(try command("copy a b box --stamp -3") as? Copy == expected)
  }

  @Test func `a request carries the words that lead to the command`() throws {
    guard case .run(let command, let path) = try library.request(words("shelf --json list text"))
    else { return #expect(Bool(false), "no command") }
    #expect((command as? ShelfList)?.kind == .text)
    #expect(path == ["library", "shelf", "list"])
  }

  @Test func `a command runs in the context it is given`() throws {
    let desk = Desk()
    #expect(try command("find white whale")?.run(in: desk) == 0)
    #expect(desk.lines == ["white", "whale"])
  }

  @Test(
    arguments: [
      ("", ["library"]), ("--help", ["library"]), ("-h", ["library"]), ("help", ["library"]),
      ("help find", ["library", "find"]), ("find --help", ["library", "find"]),
      ("find -qh", ["library", "find"]), ("--help find", ["library", "find"]),
      ("help help", nil), ("shelf", ["library", "shelf"]), ("shelf --json", ["library", "shelf"]),
      ("shelf help list", ["library", "shelf", "list"]),
      ("help shelf list", ["library", "shelf", "list"]),
      ("find --no-such-option --help", ["library", "find"]), ("burn --help", ["library", "burn"]),
      ("find --version --help", ["library", "find"]),
    ] as [(String, [String]?)])
  func `help can be asked for in many ways`(line: String, path: [String]?) throws {
    guard let path else {
      #expect(throws: Misuse.self) { try library.request(words(line)) }
      return
    }
    guard case .print(let text) = try library.request(words(line)) else {
      return #expect(Bool(false), "no text")
    }
    #expect(text == library.help(at: path))
  }

  @Test(arguments: ["--version", "find --version", "shelf --version --json"])
  func `every command prints the version`(line: String) throws {
    guard case .print(let text) = try library.request(words(line)) else {
      return #expect(Bool(false), "no text")
    }
    #expect(text == "1.2.3\n")
  }
}

/// The words of a line, without the rules of a shell.
func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
