import CommandLineKit
import Testing

@Suite struct ParsingTests {
  /// The command that words ask for, or nil when they ask for a text.
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
}

/// The words of a line, without the rules of a shell.
func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
