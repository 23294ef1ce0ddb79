import Platform

/// A process that works on one word at a time.
struct Worker {
  private var program: RunningProgram

  /// The index of the word that it works on; `nil` if it has answered the last one.
  private var index: Int?

  /// Whether the process has ended.
  private(set) var hasEnded = false

  /// Starts a process that works on a word.
  ///
  /// - Throws: A ``SystemError`` if the process can't be started.
  init(
    starting command: [String], _ index: Int, of words: [String], sharesErrors: Bool
  ) throws(SystemError) {
    program = try RunningProgram(
      starting: command + [words[index]], takesWords: true, sharesErrors: sharesErrors)
    self.index = index
  }

  /// Gives an idle process the next word, or ends its standard input after the last one.
  ///
  /// Does nothing if the process works. One that has ended takes no word.
  mutating func takeNext(from rest: inout ArraySlice<Int>, of words: [String]) {
    guard index == nil else { return }
    guard let next = rest.first, program.send(words[next]) else { return program.endInput() }
    index = next
    rest.removeFirst()
  }

  /// Waits, at most 100 ms, for processes that have answered or ended.
  ///
  /// Sends on a stop signal that this process has noted.
  ///
  /// - Returns: Their positions in increasing order, with the words' indices; `nil` if the process
  ///   ended without one.
  static func wait(
    for workers: inout [Worker]
  ) -> [(position: Int, index: Int?, outcome: Program.Outcome)] {
    for position in workers.indices { workers[position].program.relayStopSignal() }
    var found: [(Int, Int?, Program.Outcome)] = []
    for position in RunningProgram.wait(for: workers.map(\.program)) {
      guard let outcome = workers[position].read() else { continue }
      found.append((position, workers[position].index, outcome))
      workers[position].index = nil
    }
    return found
  }

  private mutating func read() -> Program.Outcome? {
    if let end = program.readMore() {
      hasEnded = true
      return end
    }
    return program.takeAnswer()
  }
}
