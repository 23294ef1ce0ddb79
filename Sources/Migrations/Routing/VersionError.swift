/// The reason why a store's version isn't known or can't be migrated to another.
package enum VersionError: Error, Hashable, Sendable {
  // The store's model.

  /// The store is at no known version.
  case unknown(String, summary: String)

  /// The store's metadata, model cache and tables disagree.
  case torn(String, findings: [String])

  /// The store's metadata or cached model is missing or can't be read.
  case noModel(String, reasons: [String])

  /// Only the entities that migrations touch are the version's.
  case partial(String, version: String)

  /// The store has features that no migration supports.
  case unsupported(String, reasons: [String])

  /// The store mirrors to CloudKit, which the request or the rows don't allow for.
  case mirrored(String, MirroringObstacle)

  // The target, and the migrations that lead to it.

  /// The target schema belongs to another app.
  case otherApp(String, expected: String)

  /// The app has no version of that name.
  case noVersion(String, app: String, known: [String])

  /// No app has a version of that name, and the store's app isn't known.
  case noTarget(String)

  /// No migrations lead from one version to the other.
  case noPath(from: String, to: String)

  /// No entity of one model is in the other.
  case unrelated(from: String, to: String)

  /// The two models alone don't determine the migration.
  ///
  /// The migration files `unused` may be meant for it, and name one of its versions otherwise.
  case undecided(from: String, to: String, questions: [String], unused: [String])

  /// The two models differ in a way that only the app can migrate.
  case onlyApp(from: String, to: String, [UnsupportedChange])

  /// Migration files start at a version with the name of the store's, and another model.
  case namesake(String, to: String)

  /// The target is older than the store.
  case backward(from: String, to: String)

  /// The model cache in the target's schema file is damaged, or of another model.
  case otherCache(app: String, version: String)

  /// A migration doesn't lead from one model to the other.
  case lineage(LineageError)
}

extension VersionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown(let path, let summary):
      "'\(path)' is at no known version: \(summary); "
        + "give the model to migrate it to with '--to FILE' (a schema file, a model or a newer store), "
        + "or the app's schema and migration files with '--migrations'; 'status' shows the commands"
    case .torn(let path, let findings):
      "'\(path)' is torn (its parts disagree): \(findings.prefix(3).joined(separator: "; ")); "
        + "see 'outbox-migrate status' for every disagreement"
    case .noModel(let path, let reasons):
      "the model of '\(path)' can't be determined: \(reasons.joined(separator: "; ")); "
        + "give it with '--model', or open the store once in the app"
    case .partial(let path, let version):
      "'\(path)' matches \(version) only partially; capture the app's own schema with "
        + "'outbox-migrate schema capture' and give it with '--to'"
    case .unsupported(let path, let reasons):
      "'\(path)' has features that the tool can't migrate: \(reasons.joined(separator: "; ")); "
        + "only the app can; see with 'outbox-migrate lint' what its migration would lose"
    case .mirrored(let path, let obstacle): "'\(path)' mirrors to CloudKit: \(obstacle)"
    case .otherApp(let app, let expected):
      "the schema is of '\(app)', but the store is of '\(expected)'; give a schema of '\(expected)'"
    case .noVersion(let name, let app, let known):
      "\(app) has no version '\(name)'; give one of \(known.joined(separator: ", "))"
    case .noTarget(let name):
      "there is no version, model or store '\(name)'; give '--to' a version that 'schema list' shows, "
        + "or the path of a schema file, a model or a store"
    case .noPath(let from, let to):
      "no migration leads from '\(from)' to '\(to)'; see 'outbox-migrate schema list'"
    case .unrelated(let from, let to): Self.text(ofUnrelated: from, to)
    case .undecided(let from, let to, let all, let files): Self.text(of: all, from, to, files)
    case .onlyApp(let from, let to, let changes): Self.text(of: changes, from, to)
    case .namesake(let name, let target): Self.text(ofNamesake: name, target)
    case .backward(let from, let to):
      "'\(to)' is older than '\(from)'; use 'outbox-migrate rollback' to go back"
    case .otherCache(let app, let version):
      "'model_cache' in the schema file of \(app) \(version) doesn't match the entities; remove it, "
        + "or capture the schema again"
    case .lineage(let error): error.description
    }
  }

  private static func text(of changes: [UnsupportedChange], _ from: String, _ to: String) -> String
  {
    "no migration from '\(from)' to '\(to)' can be made here: "
      + UnsupportedChange.sentences(changes).joined(separator: "; ")
      + "; only the app can migrate the store, and 'outbox-migrate lint STORE --to MODEL' shows what "
      + "its own migration would lose"
  }

  private static func text(ofNamesake name: String, _ target: String) -> String {
    "the migration from '\(name)' to '\(target)' is for another model than the store's, which has that "
      + "name, too; capture the store's schema with another '--name', and write a migration from that"
  }

  private static func text(ofUnrelated from: String, _ to: String) -> String {
    "no entity of '\(from)' is in '\(to)', so all rows would be dropped; check that '--to' is a model "
      + "of the store's app (if its entities were renamed, 'outbox-migrate schema infer' writes a file "
      + "that says so)"
  }

  private static func text(
    of questions: [String], _ from: String, _ to: String, _ unusedFiles: [String]
  ) -> String {
    let advice =
      unusedFiles.first.map {
        "; the migration file '\($0)' isn't used, because one of the two versions has another name there"
      }
      ?? "; 'outbox-migrate schema infer STORE MODEL --out FILE' writes a migration file to decide in, "
      + "whose folder you give with '--migrations'"
    return "the models alone don't determine the migration from '\(from)' to '\(to)': "
      + questions.prefix(3).joined(separator: "; ")
      + (questions.count > 3 ? "; and \(questions.count - 3) more" : "") + advice
  }
}
