import JSONText
import StoreMigration

extension Terminal {
  /// Prints the phase of a store's migration as a line of JSON on standard error.
  func reportProgress(_ phase: ApplyPhase, of path: String) {
    let event: JSONValue = [
      "event": "phase", "phase": .string(phase.rawValue), "store": .string(path),
    ]
    // A failure to print progress doesn't stop the migration.
    try? error.print(event.text() + "\n")
  }
}
