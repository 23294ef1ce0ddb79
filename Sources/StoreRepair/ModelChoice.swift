import Migrations
import StoreFormat
import StoreModel

/// The version that a store is repaired to, and how it was found.
struct ChosenModel: Hashable, Sendable {
  let version: ModelVersion
  let evidence: ModelEvidence

  /// Whether the store numbers its entities as the version does.
  var hasNumbers = false

  var model: Model { version.model }
}

/// Finds the version of a store whose metadata, model cache and tables may disagree.
struct ModelChoice {
  let path: String
  let store: StoreDescription
  let catalog: Catalog
  let given: [ModelVersion]

  /// How well the tables and `Z_PRIMARYKEY` of the store fit a model.
  private struct Fit {
    let present: Int
    let missing: Int
    let surplus: Int
    let hasNumbers: Bool

    var hasTables: Bool { missing == 0 && surplus == 0 }
    var isExact: Bool { hasTables && hasNumbers }
  }

  /// Returns the version.
  ///
  /// A version whose hashes the metadata has counts first, unless its tables aren't those of the
  /// store, and another version has exactly these.
  ///
  /// - Throws: A ``RepairError`` if no version fits, or several do.
  func chosen() throws(RepairError) -> ChosenModel {
    var chosen = try given.isEmpty ? found() : named()
    chosen.hasNumbers = fit(chosen.model).hasNumbers
    let unknown = chosen.model.entitiesWithoutHash
    guard unknown.isEmpty else {
      throw .unknownHashes(version: chosen.version.name, entities: unknown)
    }
    return chosen
  }

  /// Returns one of the versions that the user named.
  private func named() throws(RepairError) -> ChosenModel {
    let hashes = store.metadata?.hashes
    let fitting = given.filter { fit($0.model).hasTables }
    let confirmed = given.first { version in hashes.map { version.has($0) } ?? false }
    let single = given.count == 1 ? given.first : nil
    let version = single ?? confirmed ?? Self.only(of: fitting)
    guard let version else {
      if fitting.isEmpty {
        throw .noVersion(path, reason: "no given version has the store's tables")
      }
      throw .severalVersions(path, names: fitting.map { $0.longName })
    }
    try refuse(version)
    return ChosenModel(version: completed(version), evidence: .given)
  }

  /// Throws if a version that the user named isn't the store's.
  ///
  /// It need not have every table that the store has, but no other version may fit the store better.
  private func refuse(_ version: ModelVersion) throws(RepairError) {
    let found = fit(version.model)
    guard found.present > found.missing else {
      throw .noVersion(path, reason: "'\(version.name)' has other tables than the store")
    }
    guard !found.hasTables, let own = try? self.found(), !version.has(own.version.hashes) else {
      return
    }
    throw .otherVersion(path, given: version.name, found: own.version.name)
  }

  private func found() throws(RepairError) -> ChosenModel {
    let hashes = store.metadata?.hashes
    let cached = store.cachedModel.map { ownVersion($0) }
    let known = [cached].compactMap(\.self) + catalog.givenModels + catalog.versions
    let confirmed = hashes.flatMap { hashes in known.first { $0.has(hashes) } }
    if let confirmed {
      let others = fit(confirmed.model).hasTables ? [] : known.filter { fit($0.model).isExact }
      if others.isEmpty {
        return ChosenModel(version: completed(confirmed), evidence: .hashes)
      }
    }
    let exact = known.filter { fit($0.model).isExact }
    if let cached, exact.isEmpty || exact.contains(where: { $0.has(cached.hashes) }) {
      return ChosenModel(version: cached, evidence: .cache)
    }
    let fitting = exact.isEmpty ? known.filter { fit($0.model).hasTables } : exact
    if let version = Self.only(of: fitting) {
      return ChosenModel(version: completed(version), evidence: .tables)
    }
    guard !fitting.isEmpty else {
      throw .noVersion(path, reason: "no known version has the store's tables")
    }
    throw .severalVersions(path, names: fitting.map { $0.longName })
  }

  /// Returns the first version if all have the same hashes.
  private static func only(of versions: [ModelVersion]) -> ModelVersion? {
    guard let first = versions.first else { return nil }
    return versions.dropFirst().allSatisfy { $0.has(first.hashes) } ? first : nil
  }

  /// Returns a version with the model in the store's cache, if that has the same hashes.
  ///
  /// It has the store's own defaults and indexes.
  private func completed(_ version: ModelVersion) -> ModelVersion {
    guard let cached = store.cachedModel, version.has(VersionHashes(cached)) else { return version }
    return ModelVersion(SchemaFile(app: version.app, version: version.name, model: cached))
  }

  /// Returns the version of the model in the store's cache.
  private func ownVersion(_ model: Model) -> ModelVersion {
    let hashes = VersionHashes(model)
    let known = catalog.versions.first { $0.has(hashes) }
    let name = model.versionIdentifiers.first { Self.isPlain($0) }
    return ModelVersion(
      SchemaFile(
        app: known?.app ?? "unknown", version: known?.name ?? name ?? ModelVersion.unnamed,
        model: model))
  }

  /// Whether a version identifier can be a part of a folder's name.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < 40
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".")
          || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
          || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      }
  }

  private func fit(_ model: Model) -> Fit {
    let layout = store.layout(of: model)
    let wanted =
      layout.tables.map { ($0.name, $0.columns.map(\.name)) }
      + layout.joinTables.map { ($0.name, $0.columnNames) }
    var (present, missing, surplus) = (0, 0, 0)
    for (name, columns) in wanted {
      let found = Set((store.table(named: name)?.columns ?? []).map { $0.name.uppercased() })
      let expected = Set(columns.map { $0.uppercased() })
      present += expected.intersection(found).count
      missing += expected.subtracting(found).count
      surplus += found.subtracting(expected).count
    }
    // Core Data's tables begin with `Z`; others may be of anyone.
    surplus += store.unmodeledTables(in: layout).count { $0.name.uppercased().hasPrefix("Z") }
    let numbers = store.appEntityNumbers.map { $0.entity(in: model, layout.numbering) }
    let hasNumbers =
      numbers == layout.numbering.names
      && store.appEntityNumbers.map(\.number) == numbers.indices.map { Int64($0 + 1) }
    return Fit(present: present, missing: missing, surplus: surplus, hasNumbers: hasNumbers)
  }
}

extension ModelVersion {
  /// The name as `--app-version` takes it.
  fileprivate var longName: String { "\(app):\(name)" }
}
