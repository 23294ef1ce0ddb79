import SQLite
import StoreFormat
import Migrations
package import StoreProof

extension StoreMigrator {
  /// Compares two stores by entity, whatever their versions, without changing a byte of either.
  ///
  /// Rows are paired by entity and primary key, or by attributes; entities and properties by name. If migrations lead
  /// from one store's version to the other's, names follow the migrations. Only what the model
  /// describes is compared, not `Z_OPT`, history, metadata or other tables. A value in a file
  /// beside the store is compared by the file's name, which Core Data changes with each new value.
  ///
  /// - Parameters:
  ///   - first: The path of one store's main file.
  ///   - second: The path of the other store's main file.
  ///   - attributes: The attributes by which rows are paired, as `attribute` or
  ///     `Entity.attribute`; entities without any of them are paired by primary key.
  ///   - report: Receives each row that differs; `nil` to count only.
  /// - Returns: The counts.
  /// - Throws: A ``MigrationError`` if one of them isn't a store that can be read, has no model or
  ///   is torn. It also wraps what the report throws.
  /// - Complexity: O(n) in the numbers of rows, in constant memory; each table is read once. Tables
  ///   paired by attributes are sorted in temporary files: O(n log n).
  package func difference(
    between first: String, and second: String, by attributes: [String] = [],
    report: DifferenceReport? = nil
  ) throws(MigrationError) -> StoreDifference {
    try reported(first) {
      let a = try StoreInspection(path: first, catalog: catalog)
      let sideA = try a.comparedSide()
      let b = try StoreInspection(path: second, catalog: catalog)
      let sideB = try b.comparedSide()
      let pairing = StorePairing(
        a: sideA, b: sideB, way: try way(from: a.recognition, to: b.recognition), by: attributes)
      for name in attributes {
        if let known = pairing.keyNames(insteadOf: name) {
          throw RequestError.noAttribute(name, known: known)
        }
      }
      var comparison = StoreComparison(pairing, report: report)
      try b.reading {
        try a.reading {
          // One transaction per store, so that another process's later writes aren't read.
          try a.connection.begin(.deferred)
          try b.connection.begin(.deferred)
          try comparison.compare(a.connection, b.connection)
        }
      }
      return StoreDifference(
        a: StoreDifference.Side(path: first, recognition: a.recognition),
        b: StoreDifference.Side(path: second, recognition: b.recognition), comparison)
    }
  }

  /// Returns the migrations between two versions, in either direction; `nil` if there are none.
  private func way(
    from a: Recognition, to b: Recognition
  ) throws(VersionError) -> ModelPairing.Way? {
    guard let from = a.knownVersion, let to = b.knownVersion, from.app.isSameApp(as: to.app) else {
      return nil
    }
    if let lineage = try lineage(from: from, to: to) {
      return ModelPairing.Way(lineage: lineage, isBackward: false)
    }
    guard let lineage = try lineage(from: to, to: from) else { return nil }
    return ModelPairing.Way(lineage: lineage, isBackward: true)
  }

  private func lineage(
    from source: ModelVersion, to target: ModelVersion
  ) throws(VersionError) -> Lineage? {
    guard let path = catalog.path(from: source, to: target), !path.isEmpty else { return nil }
    let request = MigrationRequest(target: target.name)
    return try Route(from: source, to: request, catalog: catalog).lineage
  }
}

extension Recognition {
  /// The version; `nil` if the store differs from it in what migrations touch.
  fileprivate var knownVersion: ModelVersion? {
    match == .exact || match == .partial ? version : nil
  }
}

extension StoreInspection {
  /// Returns the store with its own model.
  ///
  /// - Throws: A ``VersionError`` if the store has no model or is torn.
  fileprivate func comparedSide() throws(VersionError) -> StorePairing.Side {
    guard let model = store.cachedModel, store.metadata != nil else {
      throw .noModel(typedPath, reasons: store.problems)
    }
    guard recognition.match != .torn else {
      throw .torn(typedPath, findings: recognition.disagreements)
    }
    return StorePairing.Side(path: typedPath, model: model, store: store)
  }
}
