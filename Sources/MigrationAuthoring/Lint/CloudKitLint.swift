import Migrations
import StoreFormat
import StoreModel

extension LintFinding {
  /// Creates the note on a store that mirrors to CloudKit.
  static func mirrored(_ counts: MirroringCounts) -> LintFinding {
    LintFinding(
      .note, .mirrored, rows: counts.records,
      "the store mirrors to CloudKit (\(counts)); 'apply' migrates it only with '--cloudkit carry'")
  }

  /// Returns what CloudKit doesn't allow in the model of a version.
  static func violations(in version: ModelVersion, place: String? = nil) -> [LintFinding] {
    version.model.cloudKitViolations.map {
      LintFinding(
        .error, LintRule($0.rule), place: place, object: $0.object, $0.rule.consequence)
    }
  }

  /// Returns the changes between two versions that a production schema can't follow.
  ///
  /// - Parameters:
  ///   - source: The older version.
  ///   - target: The newer version.
  ///   - migration: The migration between them; `nil` if only equal names are the same.
  ///   - place: The place of the migration's file.
  /// - Returns: The findings, by entity.
  static func schemaChanges(
    from source: ModelVersion, to target: ModelVersion, by migration: Migration?,
    place: String? = nil
  ) -> [LintFinding] {
    let lineage = migration.flatMap {
      try? Lineage(identityOf: source.model)
        .applying($0, source: source.model, target: target.model)
    }
    return source.model.cloudSchemaChanges(to: target.model, by: lineage).map {
      LintFinding(
        .error, LintRule($0.kind), place: place, migration: "\(source.name)-\(target.name)",
        object: $0.object, $0.newName == nil ? $0.consequence : "\($0.words): \($0.consequence)")
    }
  }
}

extension LintRule {
  fileprivate init(_ rule: CloudKitRule) {
    self =
      switch rule {
      case .unique: .cloudKitUnique
      case .noInverse: .cloudKitNoInverse
      case .mandatory: .cloudKitMandatory
      case .mandatoryLink: .cloudKitMandatoryLink
      case .deny: .cloudKitDeny
      case .ordered: .cloudKitOrdered
      }
  }

  fileprivate init(_ kind: CloudSchemaChange.Kind) {
    self =
      switch kind {
      case .renamed: .cloudKitRenamed
      case .removed: .cloudKitRemoved
      case .typeChanged: .cloudKitTypeChanged
      }
  }
}
