import InputFiles
import SafeText
import CommandLineKit
import StoreMigration
import StoreModel
import Migrations
import ModelSource
import StoreProof

extension MigrationRequest.Rows: ArgumentValue {}
extension MigrationRequest.Mirroring: ArgumentValue {}

/// The options that `plan` and `apply` have in common.
struct RequestOptions: Hashable, Sendable {
  static let target = Option<[String]>(
    "--to", valueName: "version",
    help:
      "The version to migrate to, its schema file or model, or a store of it; the newest by default.",
    completion: CompletionWords.versions.completionOrFile)
  static let userID = Option<String?>(
    "--user-id", valueName: "id",
    help: "The owner of rows without one; by default, the store's only user profile.")
  static let rows = Option<MigrationRequest.Rows?>(
    "--rows", valueName: "form", help: "The form of outbox rows; 'documented' by default.")
  static let acceptedLosses = Option<[String]>(
    "--accept-data-loss", valueName: "step",
    help: "Accept the losses of a step, or of 'all' steps; may be repeated.")
  static let mirroring = Option<MigrationRequest.Mirroring?>(
    "--cloudkit", valueName: "way",
    help: "What to do with a store that mirrors to CloudKit; it is refused by default.")
  static var parameters: [any Parameter] { [target, userID, rows, acceptedLosses, mirroring] }

  let targets: [String]
  let userID: String?
  let rows: MigrationRequest.Rows?
  let acceptedLosses: [String]
  let mirroring: MigrationRequest.Mirroring?

  init(_ input: borrowing Input) {
    targets = input[Self.target]
    userID = input[Self.userID]
    rows = input[Self.rows]
    acceptedLosses = input[Self.acceptedLosses]
    mirroring = input[Self.mirroring]
  }

  /// The name of the first option that was given, or `nil`.
  var firstGiven: String? {
    let given = [
      (!targets.isEmpty, "--to"), (userID != nil, "--user-id"), (rows != nil, "--rows"),
      (!acceptedLosses.isEmpty, "--accept-data-loss"), (mirroring != nil, "--cloudkit"),
    ]
    return given.first(where: \.0)?.1
  }

  /// The options as arguments for another process.
  var arguments: [String] {
    targets.map { "--to=\($0)" } + (userID.map { ["--user-id=\($0)"] } ?? [])
      + (rows.map { ["--rows=\($0.rawValue)"] } ?? [])
      + acceptedLosses.map { "--accept-data-loss=\($0)" }
      + (mirroring.map { ["--cloudkit=\($0.rawValue)"] } ?? [])
  }

  /// Returns the request, with the model of the target if it isn't the name of a version.
  func request(_ catalog: Catalog) throws(Failure) -> MigrationRequest {
    var request = MigrationRequest(
      targets: targets, userID: userID, rows: rows ?? .documented, acceptedLosses: acceptedLosses)
    request.mirroring = mirroring
    try request.readSchema(catalog)
    return request
  }
}

extension MigrationRequest {
  /// Creates the request for the values of `--to`.
  init(targets: [String], userID: String?, rows: Rows, acceptedLosses: [String] = []) {
    self.init(target: targets.first, userID: userID, rows: rows, acceptedLosses: acceptedLosses)
    unitedTargets = Array(targets.dropFirst())
  }

  /// Reads the target's model if the target is the path of a schema file, a model or a store.
  mutating func readSchema(_ catalog: Catalog) throws(Failure) {
    guard let target, var schema = try Self.schema(target, unitedTargets, catalog) else { return }
    if schema.origin != nil, catalog.hasOther(named: ModelVersion(schema)) {
      // Two models with one file name would be one version.
      schema = schema.renamed(schema.version + "-target")
    }
    guard ModelVersion(schema).hasOwnCache else {
      throw Failure(
        .badFile,
        "'model_cache' in '\(target)' doesn't match the entities; remove it, or capture the schema "
          + "again")
    }
    self.schema = schema
  }

  /// Returns the model that the values of `--to` name; `nil` for the name of a version.
  private static func schema(
    _ target: String, _ others: [String], _ catalog: Catalog
  ) throws(Failure) -> SchemaFile? {
    if !others.isEmpty || ModelPath(target) != nil {
      return try SchemaFile(uniting: [target] + others)
    }
    let given = catalog.givenModels.first { $0.name.lowercased() == target.lowercased() }
    if let given { return SchemaFile(given) }
    guard !catalog.versions.contains(where: { $0.name.lowercased() == target.lowercased() })
    else { return nil }
    if try SwiftSourcePath(target) != nil { return try SchemaFile(at: target) }
    let isPath = target.contains("/") || PlanFile.isStoreLike(target)
    guard let store = try? StorePath(argument: target).path, catalog.storePath(store) != nil
    else {
      guard isPath else { return nil }
      throw Failure(.noStore, "there is no model or store '\(target)'; check '--to'")
    }
    guard PlanFile.isStoreLike(store) else {
      throw Failure(
        .badFile,
        "'\(target)' after '--to' is neither a model nor a store; give a version, a schema file, "
          + "a model or a store")
    }
    return try SchemaFile(ofStore: store, catalog)
  }

  /// The options of the request, quoted for a shell.
  var words: [String] {
    let form = rows == .documented ? [] : ["--rows", rows.rawValue]
    return ((target.map { [$0] } ?? []) + unitedTargets).flatMap { ["--to", $0.shellWord] }
      + (userID.map { ["--user-id", $0.shellWord] } ?? []) + form
      + acceptedLosses.flatMap { ["--accept-data-loss", $0.shellWord] }
      + (mirroring.map { ["--cloudkit", $0.rawValue] } ?? [])
  }
}
