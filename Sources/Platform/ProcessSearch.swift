/// How to find the processes that have a file open, for which SQLite's locks don't show.
///
/// A library must not search other processes. A program that may do so calls ``use(_:)`` when it
/// starts.
package struct ProcessSearch: Sendable {
  /// Returns the IDs of the processes, including this one, that have one of some files open.
  let processes: @Sendable (Set<FileIdentity>) -> [Int32]

  /// Returns the name of a running program, or `nil` if the system doesn't report it.
  let name: @Sendable (Int32) -> String?

  package init(
    processes: @escaping @Sendable (Set<FileIdentity>) -> [Int32],
    name: @escaping @Sendable (Int32) -> String?
  ) {
    (self.processes, self.name) = (processes, name)
  }

  private static let shared = Guarded<ProcessSearch?>(nil)

  /// The search that this process uses; `nil` if it searches none.
  static var current: ProcessSearch? { shared.withLock { $0 } }

  /// Makes every ``LockProbe`` of this process use a search from now on.
  package static func use(_ search: ProcessSearch) { shared.withLock { $0 = search } }
}
