import JSONText
import SQLite
import StoreModel

extension MigrationError: CustomStringConvertible {
  package var description: String {
    fileDescription ?? modelDescription ?? requestDescription ?? workDescription
  }

  private var fileDescription: String? {
    switch self {
    case .noSuchStore(let path): "there is no store '\(path)'; check the path"
    case .directory(let path):
      "'\(path)' is a directory; give the store's main file, such as 'default.store' in it"
    case .emptyFile(let path):
      "'\(path)' has zero bytes; get the store again, with its -wal beside it"
    case .notADatabase(let path):
      "'\(path)' isn't a SQLite database; give the store's main file"
    case .encrypted(let path):
      "'\(path)' looks encrypted; decrypt it first, with the app's own key"
    case .truncated(let path, let found, let expected):
      "'\(path)' is truncated: it has \(found) of \(expected) bytes; get the store again"
    case .damaged(let path, let error):
      "'\(path)' is damaged: \(error.message); get the store again, or repair a copy with '.recover'"
    case .unreadable(let error): "\(error); check the permissions"
    case .notAStore(let path, let error):
      "'\(path)' isn't a Core Data store: \(error); give the store's main file"
    case .readOnly(let path): "'\(path)' can't be written; check the permissions"
    case .hotJournal(let path):
      "'\(path)' has the journal of an interrupted write beside it and can't be read before that is "
        + "rolled back; the app does so, and every command that writes"
    case .strangeCompanion(let path, let suffix):
      "'\(path)\(suffix)' isn't a file, and SQLite keeps a part of the store there; move it away"
    case .walIsGone(let path):
      "'\(path)-wal' was there and is gone; put it back beside the store, newer rows are in it"
    case .hasOtherLinks(let path, let count):
      "'\(path)' has \(count) hard links; remove the others, they would keep the old content"
    default: nil
    }
  }

  private var modelDescription: String? {
    switch self {
    case .unknown(let path, let summary):
      "'\(path)' is at no version that is known: \(summary); "
        + "see 'outbox-migrate status', or capture the app's schema with 'outbox-migrate schema capture'"
    case .torn(let path, let findings):
      "'\(path)' is torn, its parts disagree: \(findings.prefix(3).joined(separator: "; ")); "
        + "see 'outbox-migrate status' for all of it"
    case .noModel(let path, let reasons):
      "'\(path)' doesn't say what its model is: \(reasons.joined(separator: "; ")); "
        + "open it once in the app, then try again"
    case .partial(let path, let version):
      "'\(path)' is at \(version) only in part; capture the app's own schema with "
        + "'outbox-migrate schema capture' and give it with '--to'"
    case .otherApp(let app, let expected):
      "the schema is of '\(app)', and the store of '\(expected)'; give a schema of '\(expected)'"
    case .brokenRule(let path, let rule):
      "a row of '\(path)' breaks a rule of its table: \(rule); mend the rows, or the migration that "
        + "makes them so, then try again"
    case .unsupported(let path, let reasons):
      "'\(path)' has what this tool doesn't carry: \(reasons.joined(separator: "; ")); "
        + "let the app migrate it"
    default: nil
    }
  }

  private var requestDescription: String? {
    switch self {
    case .noVersion(let name, let app, let known):
      "\(app) has no version '\(name)'; give one of \(known.joined(separator: ", "))"
    case .noPath(let from, let to):
      "no migration leads from '\(from)' to '\(to)'; see 'outbox-migrate schema list'"
    case .undecided(let from, let to, let questions):
      "the way from '\(from)' to '\(to)' has to be decided: \(questions.joined(separator: "; ")); "
        + "start from 'outbox-migrate schema infer' and give the file with '--migrations'"
    case .backward(let from, let to):
      "'\(to)' is older than '\(from)'; use 'outbox-migrate rollback' to go back"
    case .badUserID:
      "the owner given with '--user-id' is blank, too long or has control characters; give an id"
    case .noDelivery(let app, let target):
      "no outbox of \(app) \(target) is rewritten as the app sends it, only Lume's on its way to V7; "
        + "leave out '--rows', and let 'verify --deliverable' say what the app would do"
    case .noQueue(let path):
      "'\(path)' has no outbox in the form that Lume V7 and FitIQ read; migrate it, "
        + "or leave out '--deliverable'"
    case .noQuarantine(let path):
      "'\(path)' has no quarantine: no apply that made it kept rows out"
    case .lostQuarantine(let path, let rows):
      "the quarantine with \(counted(rows, "row", "rows")) is gone: there is no '\(path)'; "
        + "the snapshot has them too, and 'rollback' brings them back"
    case .notInQuarantine(let row):
      "the quarantine has no row '\(row)'; see 'quarantine list'"
    case .userIDNeeded(let count):
      "rows need an owner and the store names \(count == 0 ? "none" : "\(count) candidates"); "
        + "give one with '--user-id'"
    case .dataLoss(let losses):
      "values would be lost: "
        + losses.map { "\($0.rows) of '\($0.step)'" }.joined(separator: ", ")
        + "; accept each with '--accept-data-loss \(losses.first?.step ?? "STEP")'"
    case .unknownLoss(let step, let known):
      if let nearest = nearestName(to: step, among: known) {
        "no step '\(step)' loses data; did you mean '\(nearest)'?"
      } else {
        "no step '\(step)' loses data; "
          + (known.isEmpty
            ? "leave the option out" : "give one of \(known.joined(separator: ", "))")
      }
    case .laterChanges(let changes):
      "the store was written to since it was migrated"
        + (changes.isEmpty ? "" : ": " + changes.map(\.sentence).joined(separator: ", "))
        + "; give '--keep-changes' to carry that over to the old version, or '--discard-changes' to drop it"
    case .cannotReplay(let name, let reason):
      "later changes can't be told from what was applied: \(reason) ('\(name)'); "
        + "give '--discard-changes' to go back without them"
    case .badRow(let text):
      "'\(text)' names no row; give a UUID, or an entity and a key, such as 'SDOutboxEvent/12'"
    case .noEntity(let name, let known):
      if let nearest = nearestName(to: name, among: known) {
        "the store has no entity '\(name)'; did you mean '\(nearest)'?"
      } else {
        "the store has no entity '\(name)'; give one of \(known.joined(separator: ", "))"
      }
    case .noRow(let text):
      "the store has no row '\(text)'; give another one's UUID, or its entity and key"
    case .severalRows(let text, let names):
      "several rows have the id '\(text)'; give one of \(names.joined(separator: ", "))"
    case .stalePlan(let moves):
      "the plan is stale: \(moves.map(\.description).joined(separator: "; ")); "
        + "make it anew with 'outbox-migrate plan'"
    case .noSnapshot(let path):
      "'\(path)' has no snapshot to go back to; there is nothing to take back"
    case .noReceipt(let path):
      "no receipt says how '\(path)' came to be at its version; leave '--receipt' out"
    case .unknownSnapshot(let name, let known):
      "there is no snapshot '\(name)'; "
        + (known.isEmpty ? "the store has none" : "give one of \(known.joined(separator: ", "))")
    case .notThere(let path, let expected):
      "'\(path)' isn't at \(expected), where the snapshot's apply left it; take back what came later "
        + "first, or give '--discard-changes' to go back without it"
    case .badSnapshot(let name, let reason):
      "snapshot '\(name)' can't be trusted: \(reason); the store is left as it is"
    default: nil
    }
  }

  private var workDescription: String {
    switch self {
    case .inUse(let path, let holders):
      "'\(path)' is in use\(holders.isEmpty ? "" : ": \(holders.joined(separator: ", "))"); "
        + "quit the app and try again"
    case .value(let entity, let key, let attribute, let reason):
      "\(entity)/\(key): '\(attribute)' \(reason); mend the row in the app, then try again"
    case .verificationFailed(let path, let findings):
      "'\(path)' failed verification: \(findings.prefix(3).joined(separator: "; "))"
    case .noRoom(let path, let needed, let free):
      "'\(path)' needs \(needed) bytes of disk beside it, and \(free) are free; make room, then try again"
    case .cannotCreate(let error): "\(error); check the folder's permissions"
    case .io(let error): "\(error)"
    case .sqlite(let error) where error.isFull: "the disk is full; make room, then try again"
    case .sqlite(let error) where error.isIO:
      "the system failed to read or write a file: \(error.message) (\(error.code)); "
        + "check the disk, quotas and limits"
    case .sqlite(let error) where error.isCantOpen:
      "SQLite can't open the store, or a file of it: \(error.message) (\(error.code)); "
        + "check the permissions, and what stands beside it"
    case .unfinished(let path, let error):
      "'\(path)' is the new store, and what was left to do failed: \(error); the next command "
        + "that writes to it finishes it"
    case .sqlite(let error): "\(error)"
    case .format(let error): "\(error)"
    case .lineage(let error): "\(error)"
    case .program(let error): "\(error)"
    case .file(let error): "\(error)"
    default: "unexpected"
    }
  }
}

extension EntityChange {
  /// The change in words, such as `3 SDOutboxEvent rows added, 1 changed`.
  package var sentence: String {
    let parts = [(added, "added"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }
    guard let first = parts.first else { return "no \(entity) rows changed" }
    let rest = parts.dropFirst().map { "\($0.0) \($0.1)" }
    let head = counted(first.0, "\(entity) row", "\(entity) rows")
    return (["\(head) \(first.1)"] + rest).joined(separator: ", ")
  }
}
