import CommandLineKit
import InputFiles
import Platform
import SQLite
import StoreMigration
import TemplateImport
import Migrations
import TerminalOutput

/// `import templates`: imports workout templates from an app's preferences.
struct ImportTemplatesCommand: Command, Reporting {
  static let name = "templates"
  static let abstract =
    "Import FitIQ's workout templates from the app's preferences into a V11 store."
  static let discussion = """
    Before V11, FitIQ kept workout templates as JSON in its preferences. This command adds them \
    to the store as rows of 'SDWorkoutTemplate' and 'SDTemplateExercise'. A template belongs to \
    the user that it names, or else to the only user in the store. A template whose id is already \
    in the store is skipped.

    A container that Xcode downloaded has both: give the '.xcappdata' alone.

      outbox-migrate import templates FitIQ.xcappdata

    The preferences aren't changed. As 'apply' does, the tool takes a snapshot, verifies a new \
    copy of the store, and replaces the store with it. 'rollback' undoes the import.

    Exits with 1 if a template can't be read. The other templates are imported.
    """

  static let preferences = Argument<String>(
    "plist",
    help: "The app's preferences, a binary or XML property list; or a folder that contains them.",
    completion: .file)
  static let store = Argument<StorePath?>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let key = Option<String?>(
    "--key", valueName: "key",
    help: "The key of the templates; '\(Preferences.templatesKey)' by default.")
  static let update = Flag(
    "--update", help: "Update templates that are already in the store.")
  static let keepInNotes = Flag(
    "--keep-in-notes",
    help: "Append fields without a V11 column to an exercise's notes: details, RIR, tempo.")
  static let withEvents = Flag(
    "--with-events",
    help: "Add an outbox event for each template of the user's own, so that the app uploads it.")
  static let user = Option<String?>(
    "--user-id", valueName: "id",
    help: "The owner of templates that name no user in the store: an id, or a profile's row.")
  static let dryRun = Flag("--dry-run", help: "Report what would change, and write nothing.")
  static var parameters: [any Parameter] {
    [
      preferences, store, key, update, keepInNotes, withEvents, user, dryRun,
      GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let preferences: String
  let store: String
  let templates: TemplateImport
  let dryRun: Bool

  init(_ input: borrowing Input) throws(UsageError) {
    globals = GlobalOptions(input, takingLong: true)
    preferences = input[Self.preferences]
    let given = input[Self.store]?.path
    store = if let given { given } else { try Self.store(in: preferences) }
    var templates = TemplateImport()
    templates.key = input[Self.key] ?? Preferences.templatesKey
    templates.updates = input[Self.update]
    templates.keepsInNotes = input[Self.keepInNotes]
    templates.addsEvents = input[Self.withEvents]
    templates.userID = input[Self.user]
    self.templates = templates
    dryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    let list = try readPreferences()
    return try StoreWork(globals, .edit) { path throws(Failure) in
      ImportedTemplates(
        preferences: preferences, options: templates, isDryRun: dryRun,
        outcome: try importTemplates(list, into: path, migrator))
    }
    .run(on: [store], in: terminal)
  }

  /// Returns the store in the folder that also has the preferences.
  private static func store(in folder: String) throws(UsageError) -> String {
    let store = try StorePath(checking: folder).path
    guard store == folder else { return store }
    throw .missing(label: "'<store>'")
  }

  private func readPreferences() throws(Failure) -> Preferences {
    let path = try PreferencesPath(preferences, key: templates.key).path
    do {
      return try Preferences(
        FileSystem.read(path, limit: Preferences.maximumByteCount))
    } catch let error as SystemError {
      throw Failure(
        error.isNotFound ? .noStore : .ioError, "\(error); check the path of the app's preferences")
    } catch let error as TemplateImportError {
      throw Failure(error, preferences: preferences, store: store)
    } catch {
      throw Failure(any: error)
    }
  }

  private func importTemplates(
    _ list: Preferences, into path: String, _ migrator: StoreMigrator
  ) throws(Failure) -> (report: EditReport, result: TemplateImportReport) {
    let now = WallClock.now().secondsSince2001
    let changes = { (connection: borrowing Connection) in
      try templates.run(list, on: connection, now: now)
    }
    do {
      return try dryRun
        ? migrator.tryEdit(path, changes)
        : migrator.edit(path, as: "import templates", changes)
    } catch let error as TemplateImportError {
      throw refusal(of: path, migrator)
        ?? Failure(error, preferences: preferences, store: path)
    } catch let error as MigrationError {
      throw Failure(error)
    } catch {
      throw Failure(any: error)
    }
  }

  /// Returns the error for a store of another app, which no migration makes fit for templates.
  private func refusal(of path: String, _ migrator: StoreMigrator) -> Failure? {
    guard let status = try? migrator.status(of: path, countsRows: false),
      let app = status.recognition.version?.app, !app.isSameApp(as: "FitIQ")
    else { return nil }
    return Failure(
      .misuse, "'\(path)' is a store of \(app); workout templates are FitIQ's: give its store")
  }
}
