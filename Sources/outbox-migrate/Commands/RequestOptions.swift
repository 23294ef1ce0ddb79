import CommandLineKit
import Platform
import StoreMigration
import StoreModel

extension MigrationRequest.Rows: ArgumentValue {}

/// What `plan` and `apply` can be asked for.
struct RequestOptions: Hashable, Sendable {
  static let target = Option<String?>(
    "--to", valueName: "version",
    help: "The version to go to, or a schema file that states it; else the newest.",
    completion: .file)
  static let userID = Option<String?>(
    "--user-id", valueName: "id",
    help: "The owner of rows that name none; else the one profile in the store.")
  static let rows = Option(
    "--rows", valueName: "form", default: MigrationRequest.Rows.documented,
    help: "How rows of the outbox are written.")
  static var parameters: [any Parameter] { [target, userID, rows] }

  let target: String?
  let userID: String?
  let rows: MigrationRequest.Rows

  init(_ input: borrowing Input) {
    target = input[Self.target]
    userID = input[Self.userID]
    rows = input[Self.rows]
  }

  /// The words to give to `apply` for what `plan` was given.
  var words: [String] {
    let form = rows == .documented ? [] : ["--rows", rows.rawValue]
    return (target.map { ["--to", $0.shellWord] } ?? [])
      + (userID.map { ["--user-id", $0.shellWord] } ?? []) + form
  }

  /// The request; a target that ends in `.json` is read as a schema file.
  func request(accepting losses: [String] = []) throws(Failure) -> MigrationRequest {
    var request = MigrationRequest(
      target: target, userID: userID, rows: rows, acceptedLosses: losses)
    if let target, target.hasSuffix(".json") { request.schema = try SchemaFile(at: target) }
    return request
  }
}
