import SafeText
import JSONText
import Migrations
import StoreFormat
import StoreMigration
import StoreModel
import TerminalOutput

/// A model that was read from source or from a compiled model, and the store that confirms it.
struct SourcedModel: Hashable, Sendable {
  /// The place of the model.
  private(set) var origin: ModelOrigin

  /// The path of a store whose hashes are those of the model; `nil` if no store at hand has them.
  let confirmation: String?

  /// The entities whose hashes aren't known, so that no store confirms the model.
  private(set) var unknown: [String]

  /// The store that should have the model and doesn't, in words; `nil` for another model.
  private var contradiction: String?

  /// Creates a value for a model that isn't from a schema file or a store; `nil` for others.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - stores: The stores that the command is about.
  init?(_ version: ModelVersion, stores: [HashedStore]) {
    guard let origin = version.origin, !origin.isStore else { return nil }
    self.origin = origin
    let unknown = version.model.entitiesWithoutHash
    self.unknown = unknown
    let hashes = unknown.isEmpty ? VersionHashes(version.model) : nil
    confirmation = stores.first { hashes != nil && $0.hashes == hashes }?.path
  }

  /// A store that may confirm models; it is read once, when the first model is compared with it.
  final class HashedStore {
    let path: String

    /// The hashes in the store's metadata; `nil` if it can't be read.
    private(set) lazy var hashes = try? SourcedModel.hashes(of: path)

    init(path: String) { self.path = path }
  }

  /// Returns the models of `--model`: those that stores have, or else one for all of them.
  ///
  /// - Parameters:
  ///   - versions: The versions, all from one path.
  ///   - path: The path as typed.
  ///   - stores: The paths of the stores that the command is about.
  /// - Returns: The models.
  static func given(
    _ versions: [ModelVersion], at path: String, stores: [String]
  ) -> [SourcedModel] {
    let hashed = stores.map(HashedStore.init(path:))
    let all = versions.compactMap { SourcedModel($0, stores: hashed) }
    let confirmed = all.filter { $0.confirmation != nil }
    guard confirmed.isEmpty, var united = all.first else { return confirmed }
    let notes = all.flatMap(\.origin.notes)
    united.origin = ModelOrigin(path: path, notes: notes)
    united.unknown = Set(all.flatMap(\.unknown)).sorted()
    united.contradiction = stores.count < 2 ? stores.first.map { "'\($0)'" } : "any of the stores"
    return [united]
  }

  private static func hashes(of path: String) throws(MigrationError) -> VersionHashes? {
    let migrator = StoreMigrator(catalog: Catalog(versions: [], migrations: []))
    return try migrator.inspection(of: path).store.metadata?.hashes
  }

  /// What is known about the model, in sentences.
  var notes: [String] {
    let doubt =
      unknown.isEmpty
      ? "" : ", because hashes aren't known: " + unknown.joined(separator: ", ")
    if let contradiction, unknown.isEmpty {
      return origin.notes + ["the model from '\(origin.path)' isn't that of \(contradiction)"]
    }
    let state = confirmation.map { "confirmed by '\($0)'" } ?? "not confirmed by a store\(doubt)"
    return origin.notes + ["the model is from '\(origin.path)', \(state)"]
  }

  /// The model in JSON documents.
  var json: JSONValue {
    [
      "path": .string(origin.path), "confirmed_by": JSONValue(confirmation),
      "unknown_hashes": JSONValue(unknown) { .string($0) },
      "ignored": JSONValue(origin.notes) { .string($0) },
    ]
  }
}

extension GlobalOptions {
  /// Returns the options with the models that aren't from schema files or stores.
  ///
  /// - Parameters:
  ///   - versions: The versions that the command uses.
  ///   - stores: The paths of its stores, which may confirm them.
  /// - Returns: The options.
  func naming(_ versions: [ModelVersion], stores: [String] = []) -> GlobalOptions {
    var options = self
    let hashed = stores.map(SourcedModel.HashedStore.init(path:))
    options.models = versions.compactMap { SourcedModel($0, stores: hashed) }
    return options
  }

  /// Returns the options with the models that a request gives, and `--model`.
  func naming(
    _ catalog: Catalog, _ request: MigrationRequest? = nil, stores: [String]
  ) -> GlobalOptions {
    let target = request?.schema.map { [ModelVersion($0)] } ?? []
    return naming(catalog, target, stores: stores)
  }

  /// Returns the options with the models that a command uses, and those of `--model`.
  func naming(
    _ catalog: Catalog, _ versions: [ModelVersion], stores: [String]
  ) -> GlobalOptions {
    var options = naming(versions, stores: stores)
    let path = model.joined(separator: " + ")
    options.models.insert(
      contentsOf: SourcedModel.given(catalog.givenModels, at: path, stores: stores), at: 0)
    return options
  }

  /// The member of JSON documents that lists the models; empty if all are from schema files.
  var modelMembers: [JSONValue.Member] {
    models.isEmpty ? [] : [.init("models", JSONValue(models) { $0.json })]
  }
}

extension Terminal {
  /// Prints what is known about the models that aren't from schema files or stores.
  func note(_ models: [SourcedModel]) {
    for note in models.flatMap(\.notes) { printError("Note: \(note.printable)\n") }
  }
}
