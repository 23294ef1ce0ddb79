import Platform
import SQLite

/// What is known about a command's work before it begins: how much it reads, and how fast.
///
/// The numbers were measured with a Lume store at V6 that has 300,000 outbox rows (344 MB). A
/// command that reads more on another store stays just below the end.
package struct WorkOutline: Sendable {
  /// The name of the first phase, as in progress events.
  package let phase: String

  /// The number of bytes that SQLite reads, for each byte of the stores.
  private let passes: Double

  /// The parts of those bytes that are read after 0, 10, 20 … 100 % of the command's duration.
  private let parts: [Double]

  /// The number of bytes to hash, if the work is to hash files; else SQLite reads the stores.
  package let hashedBytes: Int64?

  private init(
    _ phase: String, passes: Double, hashedBytes: Int64? = nil, _ parts: [Double]
  ) {
    (self.phase, self.passes, self.parts) = (phase, passes, [0] + parts + [1])
    self.hashedBytes = hashedBytes
  }

  /// The number of bytes that this process has read in such work so far.
  package var bytesRead: Int64 {
    hashedBytes == nil ? Connection.bytesReadSoFar : FileDescriptor.bytesHashedSoFar
  }

  /// Returns the done part of the work, between 0 and 0.99.
  ///
  /// - Parameter read: The number of bytes read so far, for each byte of the stores.
  /// - Returns: The part of the command's duration.
  package func part(done read: Double) -> Double {
    let bytes = read / passes
    guard let next = parts.firstIndex(where: { $0 > bytes }), next > 0 else { return 0.99 }
    let tenth = (bytes - parts[next - 1]) / (parts[next] - parts[next - 1])
    return min((Double(next - 1) + tenth) / Double(parts.count - 1), 0.99)
  }
}

extension WorkOutline {
  /// Writes, proves and exchanges.
  package static let apply = WorkOutline(
    "writing", passes: 6.97, [0.05, 0.12, 0.18, 0.36, 0.52, 0.61, 0.69, 0.81, 0.99])
  package static let applyDeliverable = WorkOutline(
    "writing", passes: 21.85, [0.12, 0.28, 0.37, 0.48, 0.61, 0.74, 0.8, 0.81, 0.82])

  /// Reads the rows that change; the integrity check reads the file at the same time.
  package static func plan(isDeliverable: Bool, checksIntegrity: Bool) -> WorkOutline {
    let (passes, parts): (Double, [Double]) =
      switch (isDeliverable, checksIntegrity) {
      case (false, true): (6.1, [0.1, 0.2, 0.3, 0.41, 0.52, 0.64, 0.72, 0.82, 0.91])
      case (false, false): (4.29, [0.12, 0.2, 0.26, 0.33, 0.41, 0.52, 0.64, 0.76, 0.88])
      case (true, true): (13.4, even)
      case (true, false): (12.34, [0.03, 0.09, 0.19, 0.3, 0.41, 0.52, 0.63, 0.74, 0.86])
      }
    return WorkOutline("planning", passes: passes, parts)
  }

  /// Checks a store that was never migrated.
  package static let verify = WorkOutline(
    "verifying", passes: 3.67, [0.17, 0.35, 0.47, 0.51, 0.54, 0.6, 0.63, 0.68, 0.84])

  /// Checks a store alone and against its snapshot.
  package static let verifyWithSnapshot = WorkOutline(
    "verifying", passes: 5.2, [0.2, 0.34, 0.41, 0.48, 0.55, 0.63, 0.71, 0.77, 0.83])
  package static let rollback = WorkOutline(
    "restoring", passes: 45, [0.06, 0.17, 0.27, 0.41, 0.54, 0.63, 0.7, 0.77, 0.87])
  package static let lint = WorkOutline(
    "checking", passes: 1.01, [0.03, 0.09, 0.15, 0.21, 0.27, 0.32, 0.38, 0.44, 0.52])
  package static let compare = WorkOutline(
    "comparing", passes: 1.09, [0.08, 0.17, 0.28, 0.39, 0.5, 0.63, 0.72, 0.79, 0.91])
  package static let count = WorkOutline("reading", passes: 0.52, even)

  /// Finds a row, and with deliverable rows also those that become one event with it.
  package static func explain(isDeliverable: Bool) -> WorkOutline {
    WorkOutline("reading", passes: isDeliverable ? 3 : 0.7, even)
  }

  /// Compares snapshots with their receipts.
  package static func checkSnapshots(bytes: Int64) -> WorkOutline {
    WorkOutline("checking", passes: 1, hashedBytes: max(bytes, 1), even)
  }

  // Outboxes.
  package static let stats = WorkOutline(
    "reading", passes: 1.29, [0.14, 0.28, 0.43, 0.58, 0.65, 0.66, 0.67, 0.75, 0.89])
  package static let orphans = WorkOutline(
    "reading", passes: 0.42, [0.08, 0.2, 0.31, 0.42, 0.53, 0.63, 0.73, 0.81, 0.91])
  package static let audit = WorkOutline(
    "checking", passes: 3.16, [0.15, 0.17, 0.19, 0.21, 0.23, 0.26, 0.36, 0.41, 0.63])
  package static let edit = WorkOutline(
    "editing", passes: 8.94, [0.11, 0.26, 0.37, 0.46, 0.54, 0.7, 0.87, 0.96, 0.99])

  // Fixtures.
  package static let fixtureCheck = WorkOutline("checking", passes: 22, even)
  package static let fixtureAnonymise = WorkOutline("writing", passes: 3, even)
  package static let fixtureCreate = WorkOutline("creating", passes: 1, even)

  private static let even = (1...9).map { Double($0) / 10 }
}
