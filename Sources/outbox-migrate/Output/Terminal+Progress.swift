import JSONText
import StoreMigration
package import Migrations

extension Terminal {
  /// Tells at which phase the work on a store is: one JSON object on a line of standard error.
  func tell(_ phase: ApplyPhase, of path: String) {
    let event: JSONValue = [
      "event": "phase", "phase": .string(phase.rawValue), "store": .string(path),
    ]
    // Progress that can't be told keeps no work from being done.
    try? error.print(event.text() + "\n")
  }
}
