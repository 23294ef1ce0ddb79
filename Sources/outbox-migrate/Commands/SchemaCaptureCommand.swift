import CommandLineKit
import Migrations
import ModelSource
import StoreFormat
import StoreMigration
import StoreModel

/// `schema capture`: writes the schema of a store, or of a model in source, to a file.
struct SchemaCaptureCommand: Command, Reporting {
  static let name = "capture"
  static let abstract = "Write the schema of a store or of a model to a file for 'apply --to'."
  static let discussion = """
    A model is an .xcdatamodeld of the app's sources, one .xcdatamodel of it, or a .momd or .mom \
    of a built app. In a bundle, '#NAME' is a version; without it, the current one counts. Several \
    models are united, as an app does that merges them.

      outbox-migrate schema capture App.xcdatamodeld --out v8.schema.json
      outbox-migrate apply default.store --to v8.schema.json

    With --against, the hashes that follow from the model are compared with those of a store that \
    the app wrote. If they are equal, the model is that of the store. For an entity that differs, \
    the tool names the changes to the model that would give the store's hash. Exits with 2 if the \
    model differs, and then writes no file.

      outbox-migrate schema capture 'App.xcdatamodeld#App 7' --against default.store

    A store that the app's new version created, in a simulator, gives the exact target of a \
    migration as well: it has everything that the app compares when it opens a store.
    """

  static let sources = Argument<[String]>(
    "store", help: "A store's main file, a folder that contains one store, or a model.",
    completion: .file)
  static let out = Option<String?>(
    "--out", "-o", valueName: "file", help: "The file to write; standard output by default.",
    completion: .file)
  static let app = Option<String?>(
    "--app", valueName: "name", help: "The app's name in the file; the recognised app by default."
  )
  static let version = Option<String?>(
    "--name", valueName: "version",
    help:
      "The version's name in the file; the recognised version by default, or NAME of NAME.schema.json."
  )
  static let against = Option<StorePath?>(
    "--against", valueName: "store", help: "A store to compare the model's hashes with.",
    completion: .file)
  static var parameters: [any Parameter] {
    [sources, out, app, version, against, GlobalOptions.model]
  }

  let globals: GlobalOptions
  let sources: [String]
  let out: String?
  let app: String?
  let version: String?
  let against: String?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingModel: true)
    sources = input[Self.sources]
    out = input[Self.out].flatMap { $0 == "-" ? nil : $0 }
    app = input[Self.app]
    version = input[Self.version]
    against = input[Self.against]?.path
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(globals)
    var schema = try schema(catalog)
    let globals = globals.naming([ModelVersion(schema)], stores: [against].compactMap(\.self))
    if let against {
      let comparison = try comparison(of: schema.model, with: against, catalog)
      let isWritten = comparison.isConfirmed && out != nil
      guard isWritten else {
        let report = ComparedModel(
          schema: schema, store: against, comparison: comparison, unwritten: out)
        return try terminal.print(report, globals)
      }
      schema = schema.noted("\(schema.note ?? ""); confirmed by '\(against)'")
    }
    let status = try terminal.write(schema.text, to: out)
    guard let out else {
      terminal.note(globals.models)
      return status
    }
    return try terminal.print(CapturedSchema(schema: schema, path: out), globals)
  }

  /// Returns the schema of the store, or the model of the sources, with the names for the file.
  private func schema(_ catalog: Catalog) throws -> SchemaFile {
    if sources.count > 1 || ModelPath(sources[0]) != nil {
      let schema = try SchemaFile(uniting: sources)
      return SchemaFile(
        app: app ?? schema.app, version: version ?? nameOfFile ?? schema.version,
        note: schema.origin.map { "from '\($0.path)'" } ?? schema.note, model: schema.model,
        capture: schema.capture, origin: schema.origin)
    }
    let store = try StorePath(checking: sources[0]).path
    do {
      return try StoreMigrator(catalog: catalog)
        .capture(store, app: app, version: version, called: nameOfFile)
    } catch {
      throw Failure(error)
    }
  }

  /// Compares the hashes of a model with those in a store's metadata.
  private func comparison(
    of model: Model, with store: String, _ catalog: Catalog
  ) throws(Failure) -> HashComparison {
    do {
      let description = try StoreMigrator(catalog: catalog).inspection(of: store).store
      guard let hashes = description.metadata?.hashes, !hashes.entities.isEmpty else {
        throw Failure(.unknownStore, "the metadata of '\(store)' have no hashes to compare with")
      }
      return HashComparison(model, hashes, cached: description.cachedModel)
    } catch let error as MigrationError {
      throw Failure(error)
    } catch {
      throw Failure(any: error)
    }
  }

  /// The name in `NAME.schema.json`, the file to write.
  private var nameOfFile: String? {
    let name = out.flatMap { $0.split(separator: "/").last } ?? ""
    let ending = ".schema.json"
    guard name.hasSuffix(ending), name.count > ending.count else { return nil }
    return String(name.dropLast(ending.count))
  }
}

extension SchemaFile {
  /// Returns the schema with another remark.
  fileprivate func noted(_ note: String) -> SchemaFile {
    SchemaFile(
      app: app, version: version, note: note, model: model, capture: capture, origin: origin)
  }
}
