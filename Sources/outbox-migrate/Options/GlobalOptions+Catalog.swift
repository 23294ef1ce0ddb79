import Migrations
import StoreModel

extension Catalog {
  /// Creates the catalog that the options give, with the model of a store without a model cache.
  init(_ globals: GlobalOptions) throws(Failure) {
    self = try Catalog(folder: globals.migrations)
    if !globals.model.isEmpty { self = giving(try SchemaFile(uniting: globals.model)) }
  }
}
