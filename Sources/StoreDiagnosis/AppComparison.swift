import MigrationAuthoring
import Migrations
import SQLite
import StoreFormat
import StoreMigration
import StoreModel

/// Compares a store with the versions of the app that can't open it.
struct AppComparison {
  let migrator: StoreMigrator
  let path: String
  let store: StoreDescription
  let model: Model

  /// The app's versions in the order of its migration plan; the last is the app's own model.
  let versions: [ModelVersion]

  /// The most differences of the nearest version that are named.
  private static let limit = 8

  /// Returns the causes that the app's versions show.
  func causes(_ connection: borrowing Connection) throws -> [Diagnosis.Cause] {
    guard let current = versions.last else { return [] }
    var causes = duplicates
    let hashes = store.metadata?.hashes ?? VersionHashes(model)
    if current.hashes == hashes { return causes + cloudKit(current) }
    let place = versions.firstIndex { $0.hashes == hashes }
    if place == nil {
      if let otherApp { return causes + [otherApp] }
      causes.append(newer(than: current) ?? unknown(hashes))
    }
    return try causes + duplicateRows(in: current, connection) + cloudKit(current)
  }

  /// The versions whose checksums are equal, so that the app ends before it opens a store.
  private var duplicates: [Diagnosis.Cause] {
    versions.indices.flatMap { index in
      versions[..<index].filter {
        $0.model.entitiesWithoutHash.isEmpty && $0.hashes == versions[index].hashes
      }.map { earlier in
        Diagnosis.Cause(
          code: .duplicateChecksums,
          sentence: "the app's versions '\(earlier.name)' and '\(versions[index].name)' have one "
            + "checksum: the app ends with 'Duplicate version checksums detected'",
          evidence: ["checksum \(earlier.hashes.checksum) in both"],
          next: [
            .advice("change the model in the newer version, or remove it from the migration plan")
          ])
      }
    }
  }

  private var otherApp: Diagnosis.Cause? {
    Self.otherApp(model.entities.map(\.name), versions, path: path)
  }

  /// Returns the cause if no entity of a store is one of the app's; else `nil`.
  ///
  /// The names are enough: a store without a model cache has them beside its hashes.
  static func otherApp(
    _ own: [String], _ versions: [ModelVersion], path: String
  ) -> Diagnosis.Cause? {
    let theirs = Set(versions.flatMap { $0.model.entities.map(\.name) })
    guard let current = versions.last, !own.isEmpty, !own.contains(where: theirs.contains)
    else { return nil }
    return Diagnosis.Cause(
      code: .otherApp,
      sentence: "the store belongs to another app: two apps use one file, such as "
        + "'default.store' in Application Support",
      errors: [.unknownVersion, .incompatibleHashes],
      evidence: [
        "the store has the entities \(list(own))",
        "the app has the entities \(list(current.model.entities.map(\.name)))",
      ],
      next: [
        .advice(
          "give each app a file of its own: 'ModelConfiguration(url:)', or "
            + "'NSPersistentStoreDescription(url:)' without SwiftData"),
        .command(["schema", "show", path]),
      ])
  }

  private func newer(than current: ModelVersion) -> Diagnosis.Cause? {
    let known = migrator.catalog.versions.first { $0.hashes == VersionHashes(model) }
    let app = migrator.catalog.versions.first { $0.hashes == current.hashes }
    var evidence: [String] = []
    if let known, let app, migrator.catalog.path(from: app, to: known)?.isEmpty == false {
      evidence = ["the store has \(known.app) \(known.name), which comes after \(app.name)"]
    } else if let highest = VersionOrder.highest(versions.flatMap(\.model.versionIdentifiers)),
      let own = VersionOrder.highest(store.metadata?.versionIdentifiers ?? []), own > highest
    {
      evidence = ["the store's version is '\(own.text)', the app's newest is '\(highest.text)'"]
    }
    guard !evidence.isEmpty else { return nil }
    return Diagnosis.Cause(
      code: .newerStore,
      sentence: "the store is newer than the app: a later version of the app wrote it",
      errors: [.backward, .unknownVersion, .incompatibleHashes], evidence: evidence,
      next: [
        .advice("install the newer version of the app"), .command(["snapshot", "list", path]),
        .command(["rollback", path]),
      ])
  }

  private func unknown(_ hashes: VersionHashes) -> Diagnosis.Cause {
    let nearest = versions.map { version in
      (version, ModelDifference(from: version.model, to: model).changes)
    }.min { $0.1.count < $1.1.count }
    var evidence = ["the store's checksum is \(hashes.checksum)"]
    evidence += versions.map { "the app's '\($0.name)' has \($0.hashes.checksum)" }
    if let (version, changes) = nearest {
      evidence.append("the nearest is '\(version.name)', from which the store differs:")
      evidence += changes.prefix(Self.limit).map { "  \($0.words)" }
      let rest = changes.count - Self.limit
      if rest > 0 { evidence.append("  and \(rest) more") }
      if changes.isEmpty {
        evidence.append("  in nothing but hashes: a hash modifier, or a shape that isn't described")
      }
    }
    let isPlan = versions.count > 1
    return Diagnosis.Cause(
      code: isPlan ? .unknownModel : .otherModel,
      sentence: isPlan
        ? "no version in the app's migration plan has the store's model: a version was changed "
          + "after it shipped, or is missing from the plan"
        : "the store has another model than the app; if the app has a migration plan, one of its "
          + "versions must be the store's model",
      errors: isPlan ? [.unknownVersion, .incompatibleHashes, .noSourceModel] : [],
      evidence: evidence,
      next: isPlan
        ? [
          .command(["schema", "capture", path]),
          .advice("add the captured model to the app's migration plan, as it shipped"),
        ]
        : [.advice("give all versions of the migration plan, each with '--app-version'")])
  }

  static func list(_ names: [String]) -> String {
    names.prefix(6).joined(separator: ", ")
      + (names.count > 6 ? " and \(names.count - 6) more" : "")
  }
}

// MARK: - What the app's own migration does

extension AppComparison {
  /// Returns why the app's migration to the first version that it can't reach fails.
  ///
  /// Each version is tried directly from the store's, as Core Data infers a mapping.
  var faultsOfMigration: [Diagnosis.Cause] {
    let hashes = store.metadata?.hashes ?? VersionHashes(model)
    guard let current = versions.last, current.hashes != hashes, otherApp == nil else {
      return []
    }
    let place = versions.firstIndex { $0.hashes == hashes }
    // With a migration plan that lacks the store's version, the app doesn't begin to migrate.
    guard place != nil || versions.count == 1, place != nil || newer(than: current) == nil else {
      return []
    }
    for version in versions[((place ?? versions.count - 2) + 1)...] {
      guard let schema = schema(of: version) else { continue }
      let findings: [LintFinding]
      do throws(MigrationError) {
        findings = try migrator.lint(path, MigrationRequest(schema: schema)).findings
      } catch {
        // What the tool can't compare is no finding about the app.
        continue
      }
      let errors = findings.filter { $0.severity == .error }
      let causes = [
        cause(.noValue, [.mandatoryWithoutDefault], errors, to: version),
        cause(.notInferred, [.typeChanged, .manyToOne], errors, to: version),
        cause(.losesData, [.entityDropped, .valuesDropped], errors, to: version),
      ].compactMap(\.self)
      if !causes.isEmpty { return causes }
    }
    return []
  }

  private func schema(of version: ModelVersion) -> SchemaFile? {
    SchemaFile(app: version.app, version: version.name, model: version.model)
  }

  private func cause(
    _ code: CauseCode, _ rules: Set<LintRule>, _ findings: [LintFinding], to version: ModelVersion
  ) -> Diagnosis.Cause? {
    let found = findings.filter { rules.contains($0.rule) }
    guard !found.isEmpty else { return nil }
    let objects = Self.list(found.compactMap(\.object))
    let (sentence, errors): (String, [AppleError]) =
      switch code {
      case .noValue:
        (
          "the app's migration to '\(version.name)' fails: a mandatory attribute gets no value, "
            + "in '\(objects)'",
          [.migration, .validation]
        )
      case .notInferred:
        (
          "the app's migration to '\(version.name)' can't be inferred, because of '\(objects)'",
          [.notInferred, .noMapping]
        )
      default:
        (
          "the app's migration to '\(version.name)' drops '\(objects)'", []
        )
      }
    return Diagnosis.Cause(
      code: code, sentence: sentence, errors: errors,
      evidence: found.map { ($0.object.map { "\($0): " } ?? "") + $0.message },
      next: steps(to: version))
  }

  /// What helps if the app's own migration to a version fails.
  private func steps(to version: ModelVersion) -> [Diagnosis.NextStep] {
    if let change = UnsupportedChange.all(from: model, to: version.model).first {
      return [
        .advice(
          "write a mapping model or a custom stage in the app: outbox-migrate can't migrate the "
            + "store either, because \(change)")
      ]
    }
    if migrator.catalog.version(version.name, of: version.app)?.hashes == version.hashes {
      return [.command(["plan", path, "--to", version.name])]
    }
    guard let origin = version.origin else {
      return [
        .advice("let outbox-migrate migrate the store: 'plan' with '--to' and the app's model")
      ]
    }
    return [
      .command(["schema", "infer", path, origin.path, "--out", "draft.json"]),
      .command(["plan", path, "--to", origin.path, "--migrations", "."]),
    ]
  }

  /// Returns the unique constraints of the app that the store doesn't have, and that rows break.
  private func duplicateRows(
    in current: ModelVersion, _ connection: borrowing Connection
  ) throws -> [Diagnosis.Cause] {
    let layout = store.layout(of: model)
    var evidence: [String] = []
    for entity in current.model.entities {
      guard let old = model[entity.name], let table = layout.table(of: entity.name),
        store.table(named: table.name) != nil
      else { continue }
      for constraint in entity.uniquenessConstraints
      where !old.uniquenessConstraints.contains(constraint) {
        let columns = constraint.compactMap { name in
          model.chain(from: entity.name).lazy
            .compactMap { table.attributeColumn(name, of: $0) }.first
        }
        guard columns.count == constraint.count, !columns.isEmpty else { continue }
        let list = columns.map(quoteIdentifier).joined(separator: ", ")
        let count =
          try connection.value(
            """
            SELECT count(*) FROM (SELECT 1 FROM \(qualified(table.name, in: "main"))
            WHERE \(columns.map { "\(quoteIdentifier($0)) IS NOT NULL" }.joined(separator: " AND "))
            GROUP BY \(list) HAVING count(*) > 1)
            """)?.int64 ?? 0
        if count > 0 {
          evidence.append(
            "\(entity.name).\(constraint.joined(separator: "+")): "
              + "\(count) value\(count == 1 ? "" : "s") in more than one row")
        }
      }
    }
    guard !evidence.isEmpty else { return [] }
    return [
      Diagnosis.Cause(
        code: .duplicateRows,
        sentence: "rows break a unique constraint that the app's model adds",
        errors: [.constraint], evidence: evidence,
        next: [.advice("unite the rows first: a step 'unite' in a migration file")])
    ]
  }

  private func cloudKit(_ current: ModelVersion) -> [Diagnosis.Cause] {
    let violations = current.model.cloudKitViolations
    guard store.isMirrored, !violations.isEmpty else { return [] }
    return [
      Diagnosis.Cause(
        code: .cloudKitRules,
        sentence: "the app's model breaks rules of CloudKit, and the store mirrors to CloudKit",
        errors: [.coreData],
        evidence: CloudKitRule.allCases.compactMap { rule in
          let objects = violations.filter { $0.rule == rule }.map(\.object)
          return objects.isEmpty ? nil : "\(rule.consequence): \(Self.list(objects))"
        },
        next: [
          .command(["lint", path, "--cloudkit"]),
          .advice(
            "change the model, or open the store without CloudKit: "
              + "'ModelConfiguration(cloudKitDatabase: .none)', or no "
              + "'cloudKitContainerOptions' without SwiftData"),
        ])
    ]
  }
}
