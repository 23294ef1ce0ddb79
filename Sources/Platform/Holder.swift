/// A process that has a file in use.
package struct Holder: Hashable, Sendable {
  /// The way a process uses a file, the most serious first.
  package enum Use: String, Hashable, Sendable, CaseIterable {
    /// Holds SQLite's lock for writing, or waits for it.
    case writes = "writes to it"

    /// Holds SQLite's lock for reading, as every connection in WAL mode does.
    case reads = "reads it"

    /// Holds a lock on the `-shm` that connections share in WAL mode.
    case sharesMemory = "shares its -shm"

    /// Has a descriptor of it, or of a file beside it.
    case isOpen = "has it open"
  }

  /// The number of the process; 0 or less where the system doesn't tell.
  package let processID: Int32

  /// The name of the program, as far as the system tells.
  package let command: String?

  /// The ways it uses the file, the most serious first.
  package let uses: [Use]

  /// Creates a holder.
  package init(processID: Int32, command: String?, uses: Set<Use>) {
    self.processID = processID
    self.command = command
    self.uses = Use.allCases.filter { uses.contains($0) }
  }
}

extension Holder: CustomStringConvertible {
  package var description: String {
    let name = command ?? "a process"
    let process = processID > 0 ? "\(name) (process \(processID))" : name
    return "\(process) \(uses.map(\.rawValue).joined(separator: " and "))"
  }
}
