/// A process that uses a file.
package struct Holder: Hashable, Sendable {
  /// How a process uses a file; the cases start with the most serious.
  package enum Use: String, Hashable, Sendable, CaseIterable {
    /// Holds SQLite's pending or reserved lock.
    case writes = "writes to it"

    /// Holds SQLite's shared lock, as every connection in WAL mode does.
    case reads = "reads it"

    /// Holds a lock on the `-shm` file, the shared memory of WAL mode.
    case sharesMemory = "shares its -shm"

    /// Has the file, or a companion of it, open.
    case isOpen = "has it open"
  }

  /// The process ID; 0 or less if the system doesn't report it.
  package let processID: Int32

  /// The name of the program, or `nil` if the system doesn't report it.
  package let command: String?

  /// How the process uses the file, the most serious use first.
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
