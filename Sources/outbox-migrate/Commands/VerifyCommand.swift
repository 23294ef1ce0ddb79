import CommandLineKit
import StoreMigration
package import Migrations

/// `verify`: whether a store is sound.
struct VerifyCommand: Command, Reporting {
  static let name = "verify"
  static let abstract = "Check that a store is as Core Data expects it, and change nothing."
  static let discussion = """
    Any app's store will do: it is checked against the model in its own cache. Where there is the \
    snapshot that it was made from, that is checked too, and every value in it accounted for. A \
    warning is what the app can live with.

    With --receipt it says what was written since the run that left the store; that is no \
    failure.

    With --deliverable it says of a queue what the shipped app would do with it: which rows it \
    would send, in which order, and which would keep it from sending any.

    Exits with 6 if a check fails.
    """

  static let stores = Argument<[String]>(
    "store", help: "The main file of a store.", completion: .file)
  static let receipt = Flag(
    "--receipt", help: "Compare with the receipt of the run that left the store.")
  static let deliverable = Flag(
    "--deliverable", help: "Check that the app would deliver the rows of the outbox.")
  static var parameters: [any Parameter] { [stores, receipt, deliverable] }

  let globals: GlobalOptions
  let stores: [String]
  let comparesReceipt: Bool
  let forecastsQueue: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    stores = input[Self.stores]
    comparesReceipt = input[Self.receipt]
    forecastsQueue = input[Self.deliverable]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    return try StoreWork(globals) { path throws(MigrationError) in
      VerifyOutcome(
        report: try migrator.verify(
          path, comparesReceipt: comparesReceipt, forecastsQueue: forecastsQueue))
    }
    .run(on: stores, in: terminal)
  }
}
