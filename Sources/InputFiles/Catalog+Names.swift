package import CommandLineKit
import JSONText
import Platform
import StoreMigration
package import StoreModel
package import Migrations
import ModelSource

extension Catalog {
  /// Returns the version with an app's and a version's name, as typed.
  package func version(_ name: String, ofApp app: String) throws(UsageError) -> ModelVersion {
    guard apps.contains(where: { $0.lowercased() == app.lowercased() }) else {
      throw .refused("unknown app '\(app)'; \(advice(app, among: apps))")
    }
    guard let version = version(name, of: app) else {
      let names = versions(of: app).map(\.name)
      throw .refused("\(app) has no version '\(name)'; \(advice(name, among: names))")
    }
    return version
  }

  /// Returns a version typed as `lume/V6`, or as the path of a schema file, a model or a store.
  package func version(_ word: String) throws -> ModelVersion {
    if try SchemaFile.isModel(word) { return ModelVersion(try SchemaFile(at: word)) }
    if let store = storePath(word) {
      return ModelVersion(try SchemaFile(ofStore: StorePath(checking: store).path, self))
    }
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw UsageError.refused(
        "'\(word)' isn't a version, model or store; give APP/VERSION, such as 'lume/V6', "
          + "or the path of a file")
    }
    return try version(parts[1], ofApp: parts[0])
  }

  /// Returns the path of the store that a word means; `nil` for a model or the name of a version.
  package func storePath(_ word: String) -> String? {
    guard (try? SchemaFile.isModel(word)) == false, (try? FileSystem.exists(word)) == true
    else { return nil }
    return (try? StorePath(argument: word).path) ?? word
  }

  /// Returns whether stores of a version have a schema file by which they are recognised.
  package func knows(_ version: ModelVersion) -> Bool {
    self.version(version.name, of: version.app)?.hashes == version.hashes
  }

  private func advice(_ name: String, among names: [String]) -> String {
    // Names that differ only in a digit, such as V6 and V7, are equally likely to be meant.
    let nearest = name.contains(where: \.isNumber) ? nil : nearestName(to: name, among: names)
    return nearest.map { "did you mean '\($0)'?" } ?? "give one of \(names.joined(separator: ", "))"
  }
}

extension SchemaFile {
  package init(_ version: ModelVersion) {
    self.init(
      app: version.app, version: version.name, model: version.model,
      capture: version.capturedCache.map { SchemaCapture(modelCache: $0) },
      origin: version.origin)
  }

  /// Returns the schema with another name of its version.
  package func renamed(_ version: String) -> SchemaFile {
    SchemaFile(
      app: app, version: version, note: note, model: model, capture: capture, origin: origin)
  }
}
