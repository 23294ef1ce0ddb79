package import Migrations
import Platform
import StoreMigration
import StoreModel

extension Catalog {
  /// Returns the version that a value of `--app-version` means.
  ///
  /// - Parameter word: `APP:VERSION`, or the path of a schema file, a model, a folder of Swift
  ///   source, a store, or a folder that contains one store.
  /// - Returns: The version.
  /// - Throws: A ``Failure`` if no version has that name, or no model is at the path.
  package func appVersion(_ word: String) throws(Failure) -> ModelVersion {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, (try? FileSystem.exists(word)) != true {
      guard let version = version(parts[1], of: parts[0]) else {
        throw Failure(
          .misuse, "there is no version '\(word)'; 'schema list' lists the apps and their versions")
      }
      return version
    }
    if try !SchemaFile.isModel(word), let store = try? StorePath(argument: word).path,
      let path = storePath(store)
    {
      return ModelVersion(try SchemaFile(ofStore: path, self))
    }
    return ModelVersion(try SchemaFile(at: word))
  }
}
