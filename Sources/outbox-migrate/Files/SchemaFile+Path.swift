import Migrations
import ModelSource
import Platform
import StoreMigration
import StoreModel

extension SchemaFile {
  /// Reads the model at a path: a schema file, a model in source, or a compiled one.
  init(at path: String) throws(Failure) {
    guard let model = ModelPath(path) else {
      throw (try? FileSystem.exists(path)) == true
        ? Failure(
          .badFile,
          "'\(path)' isn't a model; give a schema file, or a model such as "
            + "'App.xcdatamodeld'")
        : Failure(.noStore, "there is no model '\(path)'; check the path")
    }
    do {
      try self.init(at: model)
    } catch {
      throw Failure(error)
    }
  }

  /// Reads the models at several paths, and unites them.
  init(uniting paths: [String]) throws(Failure) {
    if paths.count == 1 {
      try self.init(at: paths[0])
      return
    }
    var models: [ModelPath] = []
    for path in paths {
      guard let model = ModelPath(path) else {
        throw Failure(.misuse, "'\(path)' isn't a model; only models can be united")
      }
      models.append(model)
    }
    do {
      try self.init(uniting: models)
    } catch {
      throw Failure(error)
    }
  }

  /// Captures the schema of a store that the user gave in place of a model.
  init(ofStore path: String, _ catalog: Catalog) throws(Failure) {
    do {
      self = try StoreMigrator(catalog: catalog).capture(path)
      origin = ModelOrigin(path: path, isStore: true)
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  init(_ error: ModelSourceError) {
    switch error {
    case .absent: self.init(.noStore, error.description)
    case .system: self.init(.ioError, error.description)
    case .schema(let error): self.init(error)
    case .malformed: self.init(.badFile, error.description, hasPosition: true)
    case .ambiguous: self.init(.misuse, error.description)
    }
  }
}
