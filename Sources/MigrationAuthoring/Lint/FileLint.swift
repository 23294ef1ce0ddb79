import JSONText
import StoreFormat
import StoreModel
import Migrations

/// Checks schema and migration files without a store: each one, and all of them together.
struct FileLint {
  let files: MigrationFileSet

  /// The versions and migrations of the files, and those that they build upon.
  let catalog: Catalog

  /// Whether to check what CloudKit allows.
  var checksCloudKit = false

  /// The findings, in the order of the rules.
  var findings: [LintFinding] {
    mistakes + duplicates + staleCaches
      + files.migrations.flatMap { findings(in: $0.migration, $0.path) }
      + unreachable + ambiguous + checksumFindings + (checksCloudKit ? cloudKitFindings : [])
  }

  private var cloudKitFindings: [LintFinding] {
    files.versions.flatMap {
      LintFinding.violations(in: $0.version, place: files.place(of: $0.path))
    }
      + files.migrations.flatMap { file -> [LintFinding] in
        guard let source = catalog.version(file.migration.from, of: file.migration.app),
          let target = catalog.version(file.migration.to, of: file.migration.app)
        else { return [] }
        return LintFinding.schemaChanges(
          from: source, to: target, by: file.migration, place: files.place(of: file.path))
      }
  }

  private var mistakes: [LintFinding] {
    files.mistakes.map { error in
      LintFinding(
        .error, .badFile, place: "\(error.file.map { "\($0):" } ?? "")\(error.position)",
        "\(error.reason)")
    }
  }

  private var duplicates: [LintFinding] {
    let names =
      files.versions.map { (path: $0.path, app: $0.version.app, name: $0.version.name) }
      + files.migrations.map { (path: $0.path, app: $0.migration.app, name: $0.migration.name) }
    var paths: [String: String] = [:]
    return names.compactMap { file in
      let key = "\(file.app.lowercased())/\(file.name)"
      guard let other = paths[key] else {
        paths[key] = file.path
        return nil
      }
      return LintFinding(
        .error, .duplicate, place: files.place(of: file.path), object: file.name,
        "'\(other)' defines it too; remove one")
    }
  }

  /// Captured model caches that don't match the entities in the same file.
  ///
  /// A store with such a cache would be torn.
  private var staleCaches: [LintFinding] {
    files.versions.filter { !$0.version.hasOwnCache }.map { file in
      LintFinding(
        .error, .badFile, place: files.place(of: file.path), object: file.version.name,
        "'model_cache' doesn't match the entities; remove it, or capture the schema again")
    }
  }

  private func findings(in migration: Migration, _ path: String) -> [LintFinding] {
    let place = files.place(of: path)
    func finding(_ rule: LintRule, _ object: String? = nil, _ message: String) -> LintFinding {
      LintFinding(
        .error, rule, place: place, migration: migration.name, object: object, message)
    }
    guard let source = catalog.version(migration.from, of: migration.app),
      let target = catalog.version(migration.to, of: migration.app)
    else {
      return [migration.from, migration.to]
        .filter { catalog.version($0, of: migration.app) == nil }
        .map { (name: String) in
          finding(.unknownVersion, name, "there is no schema file of '\(name)'; capture it")
        }
    }
    let lineage: Lineage
    do throws(LineageError) {
      lineage = try Lineage(identityOf: source.model)
        .applying(migration, source: source.model, target: target.model)
    } catch {
      return [finding(.doesNotLead, nil, "\(error)")]
    }
    let changes = lineage.unsupportedChanges(from: source.model, to: target.model)
    if !changes.isEmpty {
      let reasons = UnsupportedChange.sentences(changes)
      return reasons.map { finding(.doesNotLead, nil, "\($0); only the app can make this change") }
    }
    do throws(LineageError) {
      let inverse = migration.inverse(source: source.model, target: target.model)
      try Lineage(identityOf: target.model)
        .applying(inverse, source: target.model, target: source.model)
        .checkPlaces(from: target.model, to: source.model, in: inverse.name)
    } catch {
      return [
        finding(.noWayBack, nil, "rows that are written later can't be rolled back: \(error)")
      ]
    }
    return oneWayNotes(on: migration, lineage.steps, place)
      + orderNotes(on: migration, lineage.lostOrders(from: source.model, to: target.model), place)
  }

  private func orderNotes(
    on migration: Migration, _ orders: [Lineage.LostOrder], _ place: String
  ) -> [LintFinding] {
    orders.map {
      LintFinding(
        .note, .oneWay, place: place, migration: migration.name, object: "\($0.path)",
        "its links stay, and lose their order")
    }
  }

  private func oneWayNotes(
    on migration: Migration, _ traced: [Lineage.TracedStep], _ place: String
  ) -> [LintFinding] {
    let steps = traced.filter { !$0.isReversible }.map { "\($0.step.verb) '\($0.step.object)'" }
    guard !steps.isEmpty else { return [] }
    let shown = steps.prefix(3).joined(separator: ", ")
    let rest = steps.count > 3 ? " and \(steps.count - 3) more" : ""
    return [
      LintFinding(
        .note, .oneWay, place: place, migration: migration.name,
        "\(steps.count) of \(counted(migration.steps.count, "step", "steps")) can be "
          + "reversed only with the snapshot: \(shown)\(rest)")
    ]
  }
}

// MARK: - All files together

extension FileLint {
  /// The apps that the files are about.
  private var apps: Set<String> {
    Set(files.versions.map(\.version.app) + files.migrations.map(\.migration.app))
  }

  /// Versions from which no chain of migrations leads to the newest.
  ///
  /// A chain from an edition may end at an edition of the newest version.
  private var unreachable: [LintFinding] {
    apps.sorted().flatMap { app -> [LintFinding] in
      let versions = catalog.versions(of: app)
      guard let newest = versions.last(where: { $0.edition == nil }) else { return [] }
      let ends = versions.filter { $0.baseName == newest.baseName }
      return versions.filter { version in
        !ends.contains {
          (version.edition != nil || $0.edition == nil)
            && catalog.path(from: version, to: $0) != nil
        }
      }
      .map { version in
        LintFinding(
          version.edition == nil ? .error : .note, .unreachable, object: version.name,
          "no migrations lead from \(app) \(version.name) to \(newest.name); add the one that "
            + "is missing")
      }
    }
  }

  private var ambiguous: [LintFinding] {
    files.versions.enumerated().compactMap { place, file in
      let others = catalog.versions(of: file.version.app).filter { other in
        !files.versions[place...].contains { $0.version.name == other.name }
      }
      // Only earlier files and other versions, so that a pair is reported once.
      let twin = (files.versions[..<place].map(\.version) + others).first {
        $0.model.versionIdentifiers == file.version.model.versionIdentifiers
          && $0.hashes == file.version.hashes
      }
      guard let twin, twin.name != file.version.name else { return nil }
      return LintFinding(
        .error, .ambiguous, place: files.place(of: file.path), object: file.version.name,
        "its model and identifiers equal those of '\(twin.name)', so the tool can't distinguish their "
          + "stores; give it other identifiers")
    }
  }

  private var checksumFindings: [LintFinding] {
    guard let checksums = files.checksums else { return [] }
    let place = files.place(of: ChecksumFile.name)
    let present = Set(files.digests.map(\.path))
    let missing = checksums.digests.keys.filter { $0.hasSuffix(".json") && !present.contains($0) }
    return checksums.badLines.map {
      LintFinding(
        .error, .badChecksum, place: "\(place):\($0):1",
        "not a line of sha256sum, or another line has the same file")
    }
      + files.digests.compactMap { finding(on: $0.path, digest: $0.digest, checksums) }
      + missing.sorted().map {
        LintFinding(
          .error, .missing, place: files.place(of: $0),
          "it shipped and is missing; stores may have been migrated with it")
      }
  }

  private func finding(
    on path: String, digest: String, _ checksums: ChecksumFile
  ) -> LintFinding? {
    let place = files.place(of: path)
    switch checksums.digests[path] {
    case digest: return nil
    case nil:
      return LintFinding(
        .note, .unlisted, place: place,
        "it has no line in '\(ChecksumFile.name)'; add one when it ships, so that edits are detected"
      )
    default:
      return LintFinding(
        .error, .edited, place: place,
        "it shipped and was edited; stores may have been migrated with it: undo the edit and "
          + "put the change into an edition or another migration")
    }
  }
}
