import Foundation
import Testing

/// A place where a rule isn't kept.
struct Violation: Equatable {
  /// What an exception names: it doesn't change with lines that come and go.
  let key: String

  /// The whole of it, for people.
  let detail: String

  init(_ key: String, _ detail: String? = nil) {
    self.key = key
    self.detail = detail ?? key
  }
}

/// The violations of one rule that are known, in `Exceptions/<rule>.txt`, a key a line.
///
/// The list may only shrink: one that no longer occurs fails the test. `OUTBOX_MIGRATE_RECORD=1` writes
/// what occurs, for the review of a change that moves files.
struct Exceptions {
  let rule: String

  private var path: String { "Tests/ArchitectureTests/Exceptions/\(rule).txt" }

  private static let isRecording =
    ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_RECORD"] == "1"

  /// Expects that the violations are those of the list.
  func expect(_ violations: [Violation]) throws {
    let occurring = Set(violations.map(\.key))
    if Self.isRecording { try Repository.write(occurring.sorted(), to: path) }
    let lines = String(decoding: Repository.bytes(of: path), as: UTF8.self)
    let known = Set(lines.split(separator: "\n").map(String.init))
    let new = violations.filter { !known.contains($0.key) }.map(\.detail)
    let gone = known.subtracting(occurring).sorted()
    let excused = violations.filter { known.contains($0.key) }.map(\.detail)
    if !excused.isEmpty {
      print("\(rule): \(known.count) exceptions\n  \(excused.joined(separator: "\n  "))")
    }
    if !new.isEmpty { Issue.record("\(rule):\n  \(new.joined(separator: "\n  "))") }
    if !gone.isEmpty {
      Issue.record("\(rule): no longer occurs, remove:\n  \(gone.joined(separator: "\n  "))")
    }
  }
}
