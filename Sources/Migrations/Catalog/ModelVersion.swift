import Platform
package import StoreFormat
package import StoreModel

/// A version of an app's model, with its hashes and its model cache.
///
/// The schema file of a bundled version is parsed on first use: a store needs two or three of them.
package struct ModelVersion: Hashable, Sendable {
  /// The app's name, as the schema file spells it.
  package let app: String

  /// The version's name; an edition's has the form `VERSION@EDITION`.
  package let name: String

  private let content: Content

  /// The name of a version that isn't known and whose model has no identifier.
  package static let unnamed = "unnamed"

  package init(_ schema: SchemaFile) {
    app = schema.app
    name = schema.version
    content = Content(schema)
  }

  /// Creates a version from an embedded schema file, which has the version's name.
  init(_ file: EmbeddedFile, app: String) {
    self.app = app
    name = String(FileSystem.name(of: file.path).dropLast(".schema.json".count))
    content = Content(file)
  }

  private var schema: SchemaFile { content.schema }

  /// The model.
  package var model: Model { schema.model }

  /// The bytes of `Z_MODELCACHE`, if the schema was captured from a store.
  package var capturedCache: [UInt8]? { schema.capture?.modelCache }

  /// The place that the model was read from; `nil` for one in a schema file.
  package var origin: ModelOrigin? { content.isEmbedded ? nil : schema.origin }

  /// Returns whether the version may have all names of a model, without parsing its schema file.
  func mayHave(_ names: Set<String>) -> Bool { content.mayHave(names) }

  /// The version hashes of a store at this version.
  ///
  /// - Complexity: O(*n*) in the number of properties, on first use.
  package var hashes: VersionHashes {
    content.hashes.withLock { hashes in
      let found = hashes ?? VersionHashes(model)
      hashes = found
      return found
    }
  }

  /// Returns whether a store with these hashes is at this version.
  ///
  /// Entity names are compared first, which avoids computing the hashes of most versions.
  package func has(_ hashes: VersionHashes) -> Bool {
    hashes.entities.count == model.entities.count
      && model.entities.allSatisfy { hashes.entities[$0.name] != nil } && self.hashes == hashes
  }

  /// Returns whether stores of another model have the same indexes, which hashes don't cover.
  func has(indexesOf other: Model) -> Bool {
    StoreLayout(model).indexes == StoreLayout(other).indexes
  }

  /// The name without `@EDITION`.
  package var baseName: String {
    name.split(separator: "@").first.map(String.init) ?? name
  }

  /// The name if this is an edition, else `nil`.
  package var edition: String? {
    name.contains("@") ? name : nil
  }

  /// Whether the captured model cache, if there is one, is of the model.
  package var hasOwnCache: Bool {
    guard let capturedCache else { return true }
    guard let cached = try? ModelCache.decode(capturedCache) else { return false }
    // A captured hash says nothing about a definition that was edited later.
    return VersionHashes(cached) == VersionHashes(model.withoutRecordedHashes)
  }

  /// Returns the bytes for `Z_MODELCACHE`: the captured ones, or else the encoded model.
  package func modelCache() throws(StoreFormatError) -> [UInt8] {
    if let capturedCache { return capturedCache }
    do {
      // Another thread waits for the result, instead of encoding the model again.
      return try content.modelCache.withLock { cache in
        let encoded = try cache ?? ModelCache.encode(model)
        cache = encoded
        return encoded
      }
    } catch {
      throw .badModelCache("\(error)")
    }
  }
}
