import JSONText
import StoreModel
package import StoreProof

/// A reason why a store can't fulfil a request.
package enum RequestError: Error, Hashable, Sendable {
  // The outbox, its owner and its quarantine.

  /// Rows need an owner, and the store doesn't name exactly one.
  case userIDNeeded(candidates: Int)

  /// The given owner is blank, too long, or has control characters.
  case badUserID

  /// Deliverable rows are requested, but the migration isn't of Lume's outbox to V7.
  case noDelivery(app: String, to: String)

  /// The store has no outbox in the form that Lume V7 and FitIQ read.
  case noQueue(String)

  /// The outbox has documented rows, and isn't as the run that wrote them left the store.
  ///
  /// The version is the one that the rows were made from, and the snapshot is of it. Both are `nil`
  /// if no snapshot has the rows.
  case documentedRows(String, from: String?, snapshot: String?)

  /// No `apply` that led to this store put rows into quarantine.
  case noQuarantine(String)

  /// The quarantine's file is missing.
  case lostQuarantine(String, rows: Int64)

  /// The row isn't in the quarantine.
  case notInQuarantine(String)

  // Losses and later changes.

  /// Values would be lost, and the loss isn't accepted.
  case dataLoss([PlannedLoss])

  /// An accepted loss isn't in the plan.
  case unknownLoss(String, known: [String])

  /// The app wrote to the store after it was migrated, or after a command that kept its version.
  case laterChanges([EntityChange], since: String? = nil)

  /// The changes are of a store that mirrors to CloudKit, so they can't be merged.
  case mirroredChanges([EntityChange])

  /// The migration can't be repeated to distinguish later changes from its own.
  case cannotReplay(String, reason: String)

  /// Something changed since a saved plan was created.
  case stalePlan([PlanMove])

  /// The store isn't at the version at which the snapshot's `apply` left it.
  case notThere(String, expected: String)

  /// The store's parts disagree, so it can't be compared with what the snapshot's run left.
  case tornSince(String, findings: [String])

  /// No receipt says how the store came to its version.
  case noReceipt(String)

  /// The caller cancelled the run.
  case cancelled(String)

  // Rows and entities.

  /// A text isn't the address of a row.
  case badRow(String)

  /// The store has no entity with the name.
  case noEntity(String, known: [String])

  /// Two stores have no entity with the attribute in common.
  case noAttribute(String, known: [String])

  /// The store has no such row.
  case noRow(String)

  /// Several rows have the UUID.
  case severalRows(String, [String])
}

extension RequestError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .userIDNeeded(let candidates): text(ofOwners: candidates)
    case .badUserID:
      "the owner given with '--user-id' is blank, too long or has control characters; give an id"
    case .noDelivery(let app, let target):
      "deliverable rows exist only for Lume's outbox on its way to V7, not for \(app) \(target); "
        + "leave out '--rows', and use 'verify --deliverable' to see what the app would do"
    case .noQueue(let path): text(ofNoQueue: path)
    case .documentedRows(let path, let from, let by): text(ofRowsIn: path, madeFrom: from, by)
    case .noQuarantine(let path):
      "'\(path)' has no quarantine: the 'apply' that migrated it kept no rows out, or its snapshot is gone"
    case .lostQuarantine(let path, let rows): text(ofLost: path, rows)
    case .notInQuarantine(let row): "the quarantine has no row '\(row)'; see 'quarantine list'"
    case .dataLoss(let losses): text(of: losses)
    case .unknownLoss(let step, let known): text(ofStep: step, known)
    case .laterChanges(let changes, let command): text(of: changes, since: command)
    case .mirroredChanges(let changes): text(ofMirrored: changes)
    case .cannotReplay(let name, let reason):
      "the changes since snapshot '\(name)' can't be determined: \(reason); "
        + "give '--discard-changes' to roll back without them"
    case .stalePlan(let moves): text(of: moves)
    case .notThere(let path, let expected):
      "'\(path)' isn't at \(expected), to which the snapshot's run migrated it; roll back later "
        + "migrations first, or give '--discard-changes' to drop them"
    case .tornSince(let path, let findings): text(ofTorn: path, findings)
    case .noReceipt(let path):
      "'\(path)' has no receipt of the run that led to its version; leave out '--receipt'"
    case .cancelled(let path): "the run on '\(path)' was cancelled; the store stays as it was"
    case .badRow(let text):
      "'\(text)' isn't the name of a row; give a UUID, or an entity and a key, such as 'SDOutboxEvent/12'"
    case .noEntity(let name, let known): text(ofEntity: name, known)
    case .noAttribute(let name, let known): text(ofAttribute: name, known)
    case .noRow(let text):
      "the store has no row '\(text)'; give the UUID of another row, or its entity and key"
    case .severalRows(let text, let names):
      "several rows have the id '\(text)'; give one of \(names.joined(separator: ", "))"
    }
  }

  private func text(ofNoQueue path: String) -> String {
    "'\(path)' has no outbox in the form that Lume V7 and FitIQ read; migrate it, "
      + "or leave out '--deliverable'"
  }

  private func text(ofTorn path: String, _ findings: [String]) -> String {
    "'\(path)' is torn (its parts disagree): \(findings.prefix(3).joined(separator: "; ")); "
      + "give '--discard-changes' to restore the snapshot without what was written since"
  }

  private func text(ofOwners candidates: Int) -> String {
    let profiles = candidates == 0 ? "no user profile" : "\(candidates) user profiles"
    let ids = candidates == 0 ? "" : "; 'status --show-values' lists their ids"
    return
      "rows need an owner, and the store has \(profiles); give the owner's id with '--user-id'\(ids)"
  }

  private func text(
    ofRowsIn path: String, madeFrom version: String?, _ snapshot: String?
  ) -> String {
    guard let version, let snapshot else {
      return "'\(path)' has outbox rows that the app can't process, and no snapshot that "
        + "deliverable rows could be made from; 'verify --deliverable' names the rows"
    }
    return "'\(path)' has documented outbox rows, and was changed since 'apply' wrote them; "
      + "use 'rollback --to \(snapshot)' to go back to \(version), with '--keep-changes' or "
      + "'--discard-changes', then 'apply --rows deliverable'"
  }

  private func text(of losses: [PlannedLoss]) -> String {
    let losses = losses.byStep
    let named = losses.prefix(3).map { "\($0.rows.grouped) of '\($0.step)'" }
    let rest = losses.count - named.count
    let more = rest > 0 ? ["and those of \(counted(rest, "more step", "more steps"))"] : []
    return "values would be lost: " + (named + more).joined(separator: ", ")
      + (rest > 0 ? "; 'plan' lists them all" : "")
      + "; to accept the loss of a step, give its name, such as "
      + option(accepting: losses.first?.step ?? "STEP")
  }

  /// Returns the option in quotes; a name with spaces has quotes of its own, so that it can be copied.
  private func option(accepting step: String) -> String {
    step.contains(" ") ? "--accept-data-loss '\(step)'" : "'--accept-data-loss \(step)'"
  }

  private func text(ofStep step: String, _ known: [String]) -> String {
    "no step '\(step)' loses data; "
      + suggestion(for: step, among: known, otherwise: "leave the option out")
  }

  private func text(of changes: [EntityChange], since command: String?) -> String {
    "the store was written to since \(command.map { "'\($0)'" } ?? "it was migrated")"
      + (changes.isEmpty ? "" : ": " + changes.map(\.sentence).joined(separator: ", "))
      + "; give '--keep-changes' to "
      + (command == nil ? "carry these changes over to the old version" : "keep these changes")
      + ", or '--discard-changes' to drop them"
  }

  private func text(ofMirrored changes: [EntityChange]) -> String {
    "the store was written to since: \(changes.map(\.sentence).joined(separator: ", ")); it mirrors "
      + "to CloudKit, and what it records about the cloud can't be merged with the snapshot's; "
      + "give '--discard-changes' to drop these changes"
  }

  private func text(ofLost path: String, _ rows: Int64) -> String {
    "'\(path)', the quarantine of \(counted(rows, "row", "rows")), is missing; "
      + "the snapshot has these rows too; to restore them, use 'rollback'"
  }

  private func text(of moves: [PlanMove]) -> String {
    "the plan is stale: \(moves.map(\.description).joined(separator: "; ")); "
      + "create a new plan with 'outbox-migrate plan'"
  }

  private func text(ofEntity name: String, _ known: [String]) -> String {
    "the store has no entity '\(name)'; "
      + suggestion(for: name, among: known, otherwise: "it has no entities")
  }

  private func text(ofAttribute name: String, _ known: [String]) -> String {
    "no entity of both stores has the attribute '\(name)'; "
      + (nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
        ?? "give the name of an attribute, such as 'id', or leave '--by' out")
  }

  /// Returns the nearest name as a question, or else the names to choose from.
  private func suggestion(for name: String, among known: [String], otherwise: String) -> String {
    if let nearest = nearestName(to: name, among: known) { return "did you mean '\(nearest)'?" }
    return known.isEmpty ? otherwise : "give one of \(known.joined(separator: ", "))"
  }
}
