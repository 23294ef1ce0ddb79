import StoreFormat
import StoreModel

extension Diagnosis.Cause {
  /// Returns the causes that lie in the metadata, the cached model and the tables.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - path: Its path.
  /// - Returns: The causes; empty if metadata, model and tables agree.
  static func structural(_ store: StoreDescription, path: String) -> [Diagnosis.Cause] {
    let next: [Diagnosis.NextStep] = [
      .command(["status", path]), .command(["snapshot", "list", path]),
      .command(["repair", path, "--dry-run"]),
      .advice("restore a snapshot or a backup if there is one; it has what a repair can't know"),
    ]
    guard store.metadata != nil else {
      return [
        Diagnosis.Cause(
          code: .noMetadata,
          sentence: store.metadataCount == 0
            ? "the store has no metadata, so Core Data can't know its model"
            : "the store's metadata can't be read, so Core Data can't know its model",
          errors: [.incompatibleHashes, .noSourceModel], evidence: store.problems, next: next)
      ]
    }
    var causes: [Diagnosis.Cause] = []
    if store.cachedModel == nil, store.modelCacheCount > 0 {
      causes.append(
        Diagnosis.Cause(
          code: .badModelCache,
          sentence:
            "the model in the store can't be read; an app that must migrate doesn't find it",
          errors: [.noSourceModel], evidence: store.problems, next: next))
    }
    guard let model = store.cachedModel else { return causes }
    return causes + disagreements(of: store, with: model, next)
  }

  /// Returns the causes for metadata and tables that don't agree with the model in the store.
  private static func disagreements(
    of store: StoreDescription, with model: Model, _ next: [Diagnosis.NextStep]
  ) -> [Diagnosis.Cause] {
    var causes: [Diagnosis.Cause] = []
    let found = StructureCheck(store, model: model).disagreements
    let hashes = found.filter { $0.check == .hashes || $0.check == .metadata }
    if !hashes.isEmpty {
      causes.append(
        Diagnosis.Cause(
          code: .badModelCache,
          sentence: "the store names one model in its metadata, and has another one beside it",
          errors: [.incompatibleHashes, .noSourceModel], evidence: hashes.map(\.message),
          next: next))
    }
    let tables = found.filter { $0.check != .hashes && $0.check != .metadata }
    if !tables.isEmpty {
      causes.append(
        Diagnosis.Cause(
          code: .torn,
          sentence: "the store is torn: its tables aren't those that its metadata names; "
            + "Core Data doesn't compare them, so an app that opens it fails at the first fetch",
          errors: [.sqliteSchema, .cannotOpen], evidence: tables.map(\.message), next: next))
    }
    return causes
  }

  /// Returns the causes that checks of rows and files found.
  ///
  /// Warnings aren't causes, except about links and about files with values.
  static func content(_ findings: [Finding], path: String) -> [Diagnosis.Cause] {
    let rows: [(Finding.Check, CauseCode, String, [AppleError])] = [
      (
        .rowEntities, .strangeRows,
        "rows have entity numbers that the model doesn't have: the app doesn't find them", []
      ),
      (
        .maximumKeys, .keysTooLow,
        "the store can't give a new row a key of its own: saving fails, or replaces another row",
        [.cannotOpen]
      ),
      (
        .mandatoryValues, .missingValues,
        "rows lack a mandatory value: the app fails when it reads or saves them", [.validation]
      ),
      (
        .links, .danglingLinks,
        "links lead to rows that aren't there: the app fails to follow them",
        [.coreData]
      ),
      (.indexes, .missingIndex, "an index is missing: equal rows can be saved twice", []),
      (
        .externalData, .externalFiles,
        "values are in files beside the store, and the files are missing: copy the hidden folder too",
        []
      ),
      (.history, .history, "the store's history contradicts its model", []),
      (.cloudKit, .mirroring, "what the store knows of CloudKit contradicts its rows", [.coreData]),
    ]
    return rows.compactMap { check, code, sentence, errors in
      let found = findings.filter {
        $0.check == check
          && ($0.severity == .failure || check == .externalData || check == .links)
      }
      guard !found.isEmpty else { return nil }
      return Diagnosis.Cause(
        code: code, sentence: sentence, errors: errors, evidence: found.map(\.message),
        next: next(of: code, path))
    }
  }

  /// Returns the commands for a cause in rows.
  private static func next(of code: CauseCode, _ path: String) -> [Diagnosis.NextStep] {
    // Links and files that are missing are warnings of 'verify', not failures.
    (code == .danglingLinks || code == .externalFiles ? [] : [.command(["verify", path])])
      + (code == .externalFiles
        ? [.advice("copy the hidden folder beside the store, too, from where the store was")] : [])
      + (mendable.contains(code) ? [.command(["repair", path, "--dry-run"])] : [])
      + (code == .missingValues
        ? [
          .advice("'repair' writes what you give for each attribute: --fill ENTITY.ATTRIBUTE=VALUE")
        ]
        : [])
  }

  /// The causes in rows that `repair` can mend.
  private static let mendable: Set<CauseCode> = [
    .strangeRows, .keysTooLow, .missingValues, .danglingLinks, .missingIndex,
  ]

  /// The cause with another advice in place of `repair`, which refuses a store that mirrors to CloudKit.
  var withoutRepair: Diagnosis.Cause {
    let others = next.filter { step in
      switch step {
      case .command(let words): words.first != "repair"
      case .advice(let text): !text.contains("'repair'")
      }
    }
    guard others.count < next.count else { return self }
    var cause = self
    cause.next =
      others + [
        .advice(
          """
          'repair' refuses a store that mirrors to CloudKit: restore a snapshot or a backup, or let the \
          app fetch its rows into a new store; what it hasn't sent is only in this one
          """)
      ]
    return cause
  }
}
