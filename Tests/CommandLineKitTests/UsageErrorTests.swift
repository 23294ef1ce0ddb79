import CommandLineKit
import Testing

/// Words that make no sense, and what is said about them.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  let id: String
  let arguments: String
  let expected: String

  init(_ id: String, _ arguments: String, _ expected: String) {
    self.id = id
    self.arguments = arguments
    self.expected = expected
  }

  var testDescription: String { id }
}

@Suite struct UsageErrorTests {
  @Test(arguments: [
    ErrorCase("unknown option", "find a --colour", "unknown option '--colour'"),
    ErrorCase(
      "misspelt option", "find a --fromat json",
      "unknown option '--fromat'; did you mean '--format'?"),
    ErrorCase(
      "one dash for two", "find a -format=json",
      "unknown option '-format'; did you mean '--format'?"),
    ErrorCase("unknown letter", "find a -x", "unknown option '-x'"),
    ErrorCase("unknown letter among others", "find a -qx", "unknown option '-qx'"),
    ErrorCase("hidden options aren't suggested", "lend 7 --sede 3", "unknown option '--sede'"),
    ErrorCase(
      "option before its command", "--format json find a", "unknown option '--format'"),
    ErrorCase("the first mistake is told", "find --a --b", "unknown option '--a'"),
    ErrorCase(
      "misspelt subcommand", "fnid a", "unknown subcommand 'fnid'; did you mean 'find'?"),
    ErrorCase("unknown subcommand", "advise", "unknown subcommand 'advise'"),
    ErrorCase("hidden subcommands aren't suggested", "brun", "unknown subcommand 'brun'"),
    ErrorCase(
      "misspelt subcommand of a group", "shelf lsit",
      "unknown subcommand 'lsit'; did you mean 'list'?"),
    ErrorCase("help for nothing", "help finds", "unknown subcommand 'finds'; did you mean 'find'?"),
    ErrorCase("missing argument", "lend", "<book> is missing"),
    ErrorCase("missing words", "find --json", "<word> is missing"),
    ErrorCase("missing last argument", "copy --stamp 1", "<box> is missing"),
    ErrorCase("missing option", "copy box", "--stamp <n> is missing"),
    ErrorCase(
      "missing value", "find a --format", "'--format' needs a value; write '--format <format>'"),
    ErrorCase(
      "missing value before an option", "find --limit --json a",
      "'--limit' needs a value; if it is '--json', write '--limit=--json'"),
    ErrorCase(
      "missing value amid letters", "find -nq a", "'-n' needs a value; write '-n <n>'"),
    ErrorCase("value for a flag", "find a --json=yes", "'--json' takes no value; leave '=yes' out"),
    ErrorCase("value for a letter", "find a -vq=1", "'-q' takes no value; leave '=1' out"),
    ErrorCase(
      "no such choice", "find a --format yaml",
      "'yaml' isn't a value of '--format'; give 'text', 'json' or 'markdown'"),
    ErrorCase(
      "no such choice of an argument", "shelf list yaml",
      "'yaml' isn't a value of '<kind>'; give 'text', 'json' or 'markdown'"),
    ErrorCase("no integer", "find a -n ten", "'ten' isn't a value of '-n'; give an integer"),
    ErrorCase("empty integer", "find a -n=", "'' isn't a value of '-n'; give an integer"),
    ErrorCase("integer too small", "find a -n 0", "'0' is out of range for '-n'; give 1 to 100"),
    ErrorCase(
      "integer too large for a machine", "lend 99999999999999999999",
      "'99999999999999999999' is out of range for '<book>'; give 1 to 9999"),
    ErrorCase(
      "negative where there is no sign", "lend 7 --seed -1",
      "'-1' is out of range for '--seed'; give 0 to 18446744073709551615"),
    ErrorCase(
      "duration without a unit", "lend 7 --for 10",
      "'10' isn't a value of '--for'; give a duration such as '500ms', '10s', '2m' or '7d'"),
    ErrorCase(
      "duration without a number", "lend 7 --for ms",
      "'ms' isn't a value of '--for'; give a duration such as '500ms', '10s', '2m' or '7d'"),
    ErrorCase(
      "duration without end", "lend 7 --for 9223372036854775807h",
      "'9223372036854775807h' is out of range for '--for'; give at most 2562047788015h"),
    ErrorCase(
      "option given twice", "find a --format json --format=text",
      "'--format' is given more than once; give it one value"),
    ErrorCase(
      "option given twice under two names", "find a --limit 1 -n 1",
      "'-n' is given more than once; give it one value"),
    ErrorCase(
      "flags that exclude each other", "lend 7 --keep-marks --erase-marks",
      "'--keep-marks' and '--erase-marks' exclude each other; give one of them"),
    ErrorCase("one argument too many", "lend 7 me you", "unexpected argument 'you'"),
    ErrorCase("an argument for none", "shelf move on", "unexpected argument 'on'"),
    ErrorCase("a rule of the command's own", "lend 7 nobody", "nobody can't read; name a reader"),
  ])
  func `a mistake has its own sentence`(mistake: ErrorCase) {
    let misuse = #expect(throws: Misuse.self) { try library.request(words(mistake.arguments)) }
    #expect(misuse?.error.description == mistake.expected)
  }

  @Test(arguments: [
    (
      "lend",
      """
      Error: <book> is missing
      Usage: library lend <book> [<reader>] [--for <duration>] [--keep-marks | --erase-marks]
        See 'library lend --help' for more information.
      """
    ),
    (
      "shelf lits",
      """
      Error: unknown subcommand 'lits'; did you mean 'list'?
      Usage: library shelf <subcommand>
        See 'library shelf --help' for more information.
      """
    ),
    (
      "--jsn",
      """
      Error: unknown option '--jsn'; did you mean '--json'?
      Usage: library <subcommand>
        See 'library --help' for more information.
      """
    ),
  ])
  func `misuse is told with the usage line and where to read more`(
    line: String, expected: String
  ) {
    let misuse = #expect(throws: Misuse.self) { try library.request(words(line)) }
    #expect(misuse?.description == expected)
    #expect(Misuse.exitStatus == 64)
  }

  @Test func `a command that runs can still find fault with its words`() {
    let misuse = library.misuse(.refused("the desk is closed"), at: ["library", "shelf", "move"])
    #expect(
      misuse.description == """
        Error: the desk is closed
        Usage: library shelf move
          See 'library shelf move --help' for more information.
        """)
  }
}
