import CommandLineKit
import StoreMigration
import StoreModel
import Migrations
import StoreProof

extension MigrationRequest.Rows: ArgumentValue {}
extension MigrationRequest.Mirroring: ArgumentValue {}

/// The options that `plan` and `apply` have in common.
struct RequestOptions: Hashable, Sendable {
  static let target = Option<String?>(
    "--to", valueName: "version",
    help: "The version to migrate to, or a schema file of it; the newest by default.",
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

  let target: String?
  let userID: String?
  let rows: MigrationRequest.Rows?
  let acceptedLosses: [String]
  let mirroring: MigrationRequest.Mirroring?

  init(_ input: borrowing Input) {
    target = input[Self.target]
    userID = input[Self.userID]
    rows = input[Self.rows]
    acceptedLosses = input[Self.acceptedLosses]
    mirroring = input[Self.mirroring]
  }

  /// The name of the first option that was given, or `nil`.
  var firstGiven: String? {
    let given = [
      (target != nil, "--to"), (userID != nil, "--user-id"), (rows != nil, "--rows"),
      (!acceptedLosses.isEmpty, "--accept-data-loss"), (mirroring != nil, "--cloudkit"),
    ]
    return given.first(where: \.0)?.1
  }

  /// The options as arguments for another process.
  var arguments: [String] {
    (target.map { ["--to=\($0)"] } ?? []) + (userID.map { ["--user-id=\($0)"] } ?? [])
      + (rows.map { ["--rows=\($0.rawValue)"] } ?? [])
      + acceptedLosses.map { "--accept-data-loss=\($0)" }
      + (mirroring.map { ["--cloudkit=\($0.rawValue)"] } ?? [])
  }

  /// The request; a target that ends in `.json` is read as a schema file.
  func request() throws(Failure) -> MigrationRequest {
    var request = MigrationRequest(
      target: target, userID: userID, rows: rows ?? .documented, acceptedLosses: acceptedLosses,
      mirroring: mirroring)
    try request.readSchema()
    return request
  }
}

extension MigrationRequest {
  /// Reads the target's schema if the target is the path of a schema file.
  mutating func readSchema() throws(Failure) {
    guard let target, target.hasSuffix(".json") else { return }
    let schema = try SchemaFile(at: target)
    guard ModelVersion(schema).hasOwnCache else {
      throw Failure(
        .badFile,
        "'model_cache' in '\(target)' doesn't match the entities; remove it, or capture the schema "
          + "again")
    }
    self.schema = schema
  }

  /// The options of the request, quoted for a shell.
  var words: [String] {
    let form = rows == .documented ? [] : ["--rows", rows.rawValue]
    return (target.map { ["--to", $0.shellWord] } ?? [])
      + (userID.map { ["--user-id", $0.shellWord] } ?? []) + form
      + acceptedLosses.flatMap { ["--accept-data-loss", $0.shellWord] }
      + (mirroring.map { ["--cloudkit", $0.rawValue] } ?? [])
  }
}
