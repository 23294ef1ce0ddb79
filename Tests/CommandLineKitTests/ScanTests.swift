import TestSupport
import Testing

@testable import CommandLineKit

@Suite struct ScanTests {
  @Test func `words go to the earliest arguments that can take them`() {
    let seed = printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let kinds = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        Int.random(in: 0...3, using: &generator)
      }
      let words = (0..<Int.random(in: 0...5, using: &generator)).map { "w\($0)" }
      #expect(dealt(words, to: kinds) == slowlyDealt(words.count, to: kinds[...]), "\(kinds)")
    }
  }

  /// How many words each argument gets, or nil for a usage error.
  private func dealt(_ words: [String], to kinds: [Int]) -> [Int]? {
    let arguments: [any Parameter] = kinds.enumerated().map { index, kind in
      switch kind {
      case 0: Argument<String>("a\(index)", help: "")
      case 1: Argument<String?>("a\(index)", help: "")
      case 2: Argument<[String]>("a\(index)", help: "")
      default: Argument<[String]>("a\(index)", atLeast: 0, help: "")
      }
    }
    var scan = Scan(words, declarations: arguments.flatMap(\.declarations))
    scan.collectArguments()
    guard let values = try? scan.values(of: arguments) else { return nil }
    return arguments.map { argument in
      switch values[argument.id] {
      case is String: 1
      case let many as [String]: many.count
      case let one as String?: one == nil ? 0 : 1
      default: 0
      }
    }
  }

  /// Tries every number of words for the first argument, the largest first.
  private func slowlyDealt(_ count: Int, to kinds: ArraySlice<Int>) -> [Int]? {
    guard let kind = kinds.first else { return count == 0 ? [] : nil }
    let allowed = [1...1, 0...1, 1...max(count, 1), 0...count][kind]
    for taken in allowed.reversed() where taken <= count {
      if let rest = slowlyDealt(count - taken, to: kinds.dropFirst()) { return [taken] + rest }
    }
    return nil
  }

  #if DEBUG
    @Test func `two parameters of the same name are noticed`() async {
      await #expect(processExitsWith: .failure) {
        _ = Tool<Desk>(
          name: "library", version: "1", abstract: "", globals: [Flag("--verbose", help: "")],
          commands: [.command(Find.self)])
      }
    }
  #endif

  @Test func `reading what isn't a parameter of the command stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = Input([:])[Find.format]
    }
  }
}
