package import Migrations
import ModelSource
import Platform
import Processes
import StoreMigration
package import StoreModel

extension SchemaFile {
  /// Reads the model at a path: a schema file, a model in source, or a compiled one.
  package init(at path: String) throws(Failure) {
    guard let model = ModelPath(path) else {
      if let source = try SwiftSourcePath(path) {
        try self.init(source)
        return
      }
      throw (try? FileSystem.exists(path)) == true
        ? Failure(
          .badFile,
          "'\(path)' isn't a model; give a schema file, or a model such as "
            + "'App.xcdatamodeld', or a folder with Swift source")
        : Failure(.noStore, "there is no model '\(path)'; check the path")
    }
    do {
      try self.init(at: model)
    } catch {
      throw Failure(error)
    }
    try checkSize(path)
  }

  /// The largest number of properties of a model, with inherited ones, each of which is hashed.
  private static let mostProperties = 100_000

  /// Throws if the model from a path has too many properties.
  package func checkSize(_ path: String) throws(Failure) {
    guard model.countOfProperties > Self.mostProperties else { return }
    throw Failure(
      .badFile,
      "the model '\(path)' has more than \(Int64(Self.mostProperties).grouped) properties, with those that "
        + "entities inherit")
  }

  /// Reads the models at several paths, and unites them.
  package init(uniting paths: [String]) throws(Failure) {
    for path in paths.dropFirst(paths.count == 1 ? 1 : 0) {
      guard try Self.isModel(path) else {
        throw Failure(.misuse, "'\(path)' isn't a model; only models can be united")
      }
    }
    try self.init(at: paths[0])
    for path in paths.dropFirst() {
      let other = try SchemaFile(at: path)
      do throws(ModelSourceError) {
        self = try united(with: other, paths[0], path)
      } catch {
        throw Failure(error)
      }
    }
  }

  /// Reads the models at the paths of `--model`.
  ///
  /// One path of a folder of versions, or of Swift source, gives all of its versions; other paths
  /// give one model, which several of them make together.
  package static func versions(at paths: [String]) throws(Failure) -> [SchemaFile] {
    guard let path = paths.first else { return [] }
    guard paths.count == 1 else { return [try SchemaFile(uniting: paths)] }
    guard let model = ModelPath(path) else {
      guard let source = try SwiftSourcePath(path) else { return [try SchemaFile(at: path)] }
      return try versions(source)
    }
    do throws(ModelSourceError) {
      var versions: [SchemaFile] = []
      for version in try model.versions() { versions.append(try SchemaFile(at: version)) }
      return versions
    } catch {
      throw Failure(error)
    }
  }

  /// Returns whether a path is that of a model, not of a store or another file.
  ///
  /// - Throws: A ``Failure`` if a name in a folder isn't UTF-8.
  package static func isModel(_ path: String) throws(Failure) -> Bool {
    if ModelPath(path) != nil { return true }
    return try SwiftSourcePath(path) != nil
  }

  /// Captures the schema of a store that the user gave in place of a model.
  package init(ofStore path: String, _ catalog: Catalog) throws(Failure) {
    StopSignal.noteAgain()
    do {
      self = try StoreMigrator(catalog: catalog).capture(path)
      origin = ModelOrigin(path: path, isStore: true)
    } catch {
      throw Failure(error)
    }
  }
}
