import CommandLineKit
import Platform
package import StoreMigration
import StoreModel
package import Migrations
package import RowRewriting

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
  static let rows = Option<MigrationRequest.Rows?>(
    "--rows", valueName: "form", help: "How rows of the outbox are written; else as documented.")
  static let acceptedLosses = Option<[String]>(
    "--accept-data-loss", valueName: "step",
    help: "A step whose losses are accepted, or 'all'; may be repeated.")
  static var parameters: [any Parameter] { [target, userID, rows, acceptedLosses] }

  let target: String?
  let userID: String?
  let rows: MigrationRequest.Rows?
  let acceptedLosses: [String]

  init(_ input: borrowing Input) {
    target = input[Self.target]
    userID = input[Self.userID]
    rows = input[Self.rows]
    acceptedLosses = input[Self.acceptedLosses]
  }

  /// The first of the options that was given, as its name.
  var firstGiven: String? {
    let given = [
      (target != nil, "--to"), (userID != nil, "--user-id"), (rows != nil, "--rows"),
      (!acceptedLosses.isEmpty, "--accept-data-loss"),
    ]
    return given.first(where: \.0)?.1
  }

  /// The options as words of a command line.
  var arguments: [String] {
    (target.map { ["--to=\($0)"] } ?? []) + (userID.map { ["--user-id=\($0)"] } ?? [])
      + (rows.map { ["--rows=\($0.rawValue)"] } ?? [])
      + acceptedLosses.map { "--accept-data-loss=\($0)" }
  }

  /// The request; a target that ends in `.json` is read as a schema file.
  func request() throws(Failure) -> MigrationRequest {
    var request = MigrationRequest(
      target: target, userID: userID, rows: rows ?? .documented, acceptedLosses: acceptedLosses)
    try request.readSchema()
    return request
  }
}

extension MigrationRequest {
  /// Reads the target's schema where the target is the path of a schema file.
  mutating func readSchema() throws(Failure) {
    if let target, target.hasSuffix(".json") { schema = try SchemaFile(at: target) }
  }

  /// The words by which it is asked for.
  var words: [String] {
    let form = rows == .documented ? [] : ["--rows", rows.rawValue]
    return (target.map { ["--to", $0.shellWord] } ?? [])
      + (userID.map { ["--user-id", $0.shellWord] } ?? []) + form
      + acceptedLosses.flatMap { ["--accept-data-loss", $0.shellWord] }
  }
}
