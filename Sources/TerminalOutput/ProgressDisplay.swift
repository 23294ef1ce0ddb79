import SafeText
import StoreModel
import JSONText
package import MigrationMonitoring
import Platform

/// Shows on standard error how far a command's work on a store is.
///
/// A second thread reads how many bytes were read, so the work itself reports only its
/// phases.
package final class ProgressDisplay: Sendable {
  /// The form in which progress is shown.
  package enum Form: Hashable, Sendable {
    /// Lines of JSON.
    case lines

    /// One line of a terminal from the first second on, which is redrawn and at last erased.
    case bar
  }

  /// The position in the work.
  private struct Position {
    var phase: String

    /// The done part of the work, if the work reports it.
    var part: Double?
    var isOver = false
  }

  /// The interval at which the end of the work is noticed.
  private static let tick = Duration.milliseconds(5)

  private let form: Form?
  private let sink: Sink
  private let path: String
  private let outline: WorkOutline

  /// The size of the stores, or of the files to hash, in bytes.
  private let size: Int64

  /// The number of rows; `nil` if they weren't counted.
  private let rows: Int64?
  private let start = ContinuousClock.now
  private let bytesBefore: Int64
  private let position: Guarded<Position>

  package init(
    _ form: Form?, on sink: Sink, of path: String, _ outline: WorkOutline, size: Int64,
    rows: Int64?
  ) {
    (self.form, self.sink, self.path, self.outline) = (form, sink, path, outline)
    (self.size, self.rows) = (max(size, 1), rows)
    bytesBefore = outline.bytesRead
    position = Guarded(Position(phase: outline.phase))
  }

  /// Notes that a phase begins.
  package func begin(_ name: String) {
    position.withLock { $0.phase = name }
    if form == .lines {
      write([
        .init("event", "phase"), .init("phase", .string(name)), .init("store", .string(path)),
      ])
    }
  }

  /// A closure to call with the events of a migration; `nil` if nobody reads them.
  package var track: ((SchemaMigrationEvent) -> Void)? {
    guard form == .lines else { return nil }
    return { [self] in write($0.members + [.init("store", .string(path))]) }
  }

  /// Notes which part of the work is done, between 0 and 1.
  package func note(_ part: Double) { position.withLock { $0.part = part } }

  /// Shows the progress of work until it ends.
  package func showing<Output, Thrown: Error>(
    _ work: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    guard let form else { return try work() }
    let (result, _) = concurrently(
      { () -> Result<Output, Thrown> in
        let result: Result<Output, Thrown>
        do throws(Thrown) { result = .success(try work()) } catch { result = .failure(error) }
        position.withLock { $0.isOver = true }
        return result
      }, { self.show() })
    if form == .lines {
      let isDone = if case .success = result { true } else { false }
      let outcome = StopSignal.endsRun ? "stopped" : isDone ? "done" : "failed"
      write(members("end", isDone ? 1 : done) + [.init("outcome", .string(outcome))])
    }
    return try result.get()
  }

  /// Shows the position again and again until the work is over.
  private func show() {
    let interval = form == .bar ? Duration.milliseconds(100) : .milliseconds(500)
    var next = start + (form == .bar ? .seconds(1) : interval)
    var isDrawn = false
    while !position.withLock({ $0.isOver }) {
      pause(for: Self.tick)
      guard ContinuousClock.now >= next else { continue }
      next = ContinuousClock.now + interval
      if form == .bar {
        isDrawn = true
        print("\r\u{1b}[2K" + String(line.prefix(max(0, (sink.width ?? 80) - 1))))
      } else {
        write(members("progress", done))
      }
    }
    if isDrawn { print("\r\u{1b}[2K") }
  }

  /// The done part of the work, between 0 and 0.99.
  private var done: Double {
    let read = Double(outline.bytesRead - bytesBefore) / Double(size)
    return min(position.withLock { $0.part } ?? outline.part(done: read), 0.99)
  }

  /// Returns the time left; `nil` at the beginning, or if the work takes longer than expected.
  private func timeLeft(_ done: Double, after elapsed: Duration) -> Duration? {
    done >= 1 ? .zero : done > 0.01 && done < 0.99 ? elapsed * ((1 - done) / done) : nil
  }

  private var line: String {
    let done = done
    let filled = Int(done * 20)
    let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 20 - filled)
    let phase = position.withLock { $0.phase }
    let count =
      rows.map { "\(Int64(done * Double($0)).grouped) of \($0.counted("row"))" }
      ?? "\(Int64(done * Double(size)).byteSize) of \(size.byteSize)"
    let left = timeLeft(done, after: ContinuousClock.now - start).map {
      ", \(($0.milliseconds).milliseconds) left"
    }
    return "\(phase.prefix(1).uppercased())\(phase.dropFirst()) [\(bar)] "
      + "\(Int(done * 100)) %, \(count)\(left ?? "")"
  }

  private func members(_ event: String, _ done: Double) -> [JSONValue.Member] {
    let elapsed = ContinuousClock.now - start
    let left = timeLeft(done, after: elapsed)
    return [
      .init("event", .string(event)),
      .init("phase", .string(position.withLock { $0.phase })),
      .init("store", .string(path)),
      .init("rows", rows.map { .int(Int64(done * Double($0))) } ?? .null),
      .init("of_rows", rows.map { .int($0) } ?? .null),
      .init("duration_ms", .int(elapsed.milliseconds)),
      .init("left_ms", left.map { .int($0.milliseconds) } ?? .null),
    ]
  }

  private func write(_ members: [JSONValue.Member]) {
    print(JSONValue.object(members).text() + "\n")
  }

  // A failure to show progress doesn't stop the work.
  private func print(_ text: String) { try? sink.print(text) }
}

extension Duration {
  fileprivate var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
