import CommandLineKit
import InputFiles
import Platform
import StoreMigration
import Migrations
import TerminalOutput

/// `verify`: checks stores.
struct VerifyCommand: Command, Reporting {
  static let name = "verify"
  static let abstract = "Check that a store is what Core Data expects."
  static let discussion = """
    You can verify the store of any app: it is checked against the model that the store itself \
    contains. If the store was migrated and its snapshot still exists, the snapshot is checked \
    too, and every value in it is accounted for. Warnings are problems with which the store can \
    be used: a missing log, or rows that stop the outbox, are among them.

    With --receipt, the changes since the last run are reported. They aren't failures.

    With --deliverable, you see what the shipped app would do with the outbox: which rows it \
    would send, in which order, and which rows would stop it.

    Exits with 6 if a check fails.
    """

  static let stores = Argument<[StorePath]>(
    "store", help: "A store's main file, or a folder that contains one store.", completion: .file)
  static let receipt = Flag(
    "--receipt", help: "Compare the store with the receipt of its last run.")
  static let deliverable = Flag(
    "--deliverable", help: "Check that the app can deliver the rows of the outbox.")
  static var parameters: [any Parameter] {
    [
      stores, receipt, deliverable, TestFormat.option, GlobalOptions.model,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let stores: [String]
  let comparesReceipt: Bool
  let forecastsQueue: Bool
  let format: TestFormat

  init(_ input: borrowing Input) throws(UsageError) {
    format = try input.format(TestFormat.option)
    globals = GlobalOptions(
      input, printingJSON: format == .json, takingLong: true, takingModel: true)
    stores = input[Self.stores].map(\.path)
    comparesReceipt = input[Self.receipt]
    forecastsQueue = input[Self.deliverable]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = Result { () throws(Failure) in try Catalog(self.globals) }
    let summarize = VerifyOutcome.summary(in: format)
    // A report for other tools names each store that couldn't be checked.
    if summarize == nil { _ = try catalog.get() }
    let globals =
      (try? catalog.get()).map { self.globals.naming($0, stores: stores) } ?? self.globals
    // A store with a snapshot is compared with it.
    let hasSnapshot = stores.contains { (try? FileSystem.exists($0 + ".snapshots")) == true }
    var work = StoreWork<VerifyOutcome>(
      globals, hasSnapshot ? .verifyWithSnapshot : .verify,
      orFailing: { path throws(Failure) in
        let migrator = StoreMigrator(catalog: try catalog.get())
        do throws(MigrationError) {
          return VerifyOutcome(
            report: try migrator.verify(
              path, comparesReceipt: comparesReceipt, forecastsQueue: forecastsQueue))
        } catch {
          throw Failure(error)
        }
      })
    work.summarize = summarize
    return try work.run(on: stores, in: terminal)
  }
}
