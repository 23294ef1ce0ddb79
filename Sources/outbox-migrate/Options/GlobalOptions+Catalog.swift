import InputFiles
import Migrations
import StoreModel

extension Catalog {
  /// Creates the catalog that the options give, with the models that `--model` gives.
  init(_ globals: GlobalOptions) throws(Failure) {
    self = try Catalog(folder: globals.migrations)
    for schema in try SchemaFile.versions(at: globals.model) { self = giving(schema) }
  }
}
