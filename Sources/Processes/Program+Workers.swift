import Platform

extension Program {
  /// Has processes of one program work on words in parallel, each on one word at a time.
  ///
  /// A process gets its first word as the last argument, and the next ones through standard input,
  /// where ``answer(_:_:)`` reads them. A process that ends before it has answered is reported with
  /// its word, and another one takes the rest. A stop signal that this process notes is sent on to
  /// the others, and no more words are given out.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - command: The path of the program, followed by its first arguments.
  ///   - limit: The number of processes at the same time, at least 1.
  ///   - sharingErrors: Whether their standard error is this process's, instead of `/dev/null`.
  ///   - answered: A closure to call with an answer, or with the end of a process that gave none,
  ///     and the index of the word.
  /// - Throws: The error of `answered`, or a ``SystemError`` if a process can't be started. The
  ///   processes have ended by then.
  package static func distribute(
    _ words: [String], to command: [String], atOnce limit: Int, sharingErrors: Bool = false,
    answered: (Int, Outcome) throws -> Void
  ) throws {
    precondition(limit > 0, "at least one process works at a time")
    var workers: [Worker] = []
    var rest = Array(words.indices)[...]
    var failure: (any Error)?
    repeat {
      if failure != nil || StopSignal.noted != nil { rest = [] }
      for position in workers.indices { workers[position].takeNext(from: &rest, of: words) }
      while workers.count < limit, let index = rest.popFirst() {
        do {
          workers.append(
            try Worker(starting: command, index, of: words, sharesErrors: sharingErrors))
        } catch {
          (failure, rest) = (error, [])
        }
      }
      for (position, index, outcome) in Worker.wait(for: &workers).reversed() {
        if workers[position].hasEnded { workers.remove(at: position) }
        guard failure == nil, let index else { continue }
        do { try answered(index, outcome) } catch { failure = error }
      }
    } while !rest.isEmpty || !workers.isEmpty
    if let failure { throw failure }
  }

  /// Works on a word and then on those from standard input, and answers each.
  ///
  /// This is the other side of ``distribute(_:to:atOnce:sharingErrors:answered:)``. It ends with
  /// standard input, or after a stop signal.
  ///
  /// - Parameters:
  ///   - first: The first word.
  ///   - work: Writes an answer without NUL to standard output, and returns an exit status.
  /// - Returns: The highest exit status.
  /// - Throws: The error of `work`, or a ``SystemError`` if the streams fail.
  package static func answer(_ first: String, _ work: (String) throws -> Int32) throws -> Int32 {
    var highest: Int32 = 0
    var next: String? = first
    while let word = next, StopSignal.noted == nil {
      let status = try work(word)
      highest = max(highest, status)
      try StandardStream.output.write("\0\(status)\0")
      next = try StandardStream.input.readWord()
    }
    return StopSignal.noted?.exitStatus ?? highest
  }
}
