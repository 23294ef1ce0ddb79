import Platform
package import StoreFormat
package import StoreModel

/// A version of an app's model, with what follows from it.
package struct ModelVersion: Hashable, Sendable {
  /// The app's name, as people write it.
  package let app: String

  /// The version's name; an edition's has the form `VERSION@EDITION`.
  package let name: String

  /// The model.
  package let model: Model

  /// The bytes of `Z_MODELCACHE`, where the schema was captured from a store.
  package let capturedCache: [UInt8]?

  private let derived = Derived()

  package init(_ schema: SchemaFile) {
    app = schema.app
    name = schema.version
    model = schema.model
    capturedCache = schema.capture?.modelCache
  }

  /// The hashes that a store at this version has.
  ///
  /// - Complexity: O(*n*) in the number of properties, the first time.
  package var hashes: VersionHashes {
    derived.hashes.withLock { hashes in
      let found = hashes ?? VersionHashes(model)
      hashes = found
      return found
    }
  }

  /// Returns whether a store with these hashes is at this version.
  ///
  /// The names of the entities alone tell most versions apart.
  package func has(_ hashes: VersionHashes) -> Bool {
    hashes.entities.count == model.entities.count
      && model.entities.allSatisfy { hashes.entities[$0.name] != nil } && self.hashes == hashes
  }

  /// The version that this one is an edition of, or its own name.
  package var baseName: String {
    name.split(separator: "@").first.map(String.init) ?? name
  }

  /// The name, if this is an edition.
  package var edition: String? {
    name.contains("@") ? name : nil
  }

  /// The bytes for a store's `Z_MODELCACHE`.
  package func modelCache() throws(StoreFormatError) -> [UInt8] {
    if let cache = capturedCache ?? derived.modelCache.withLock({ $0 }) { return cache }
    do {
      let cache = try ModelCache.encode(model)
      derived.modelCache.withLock { $0 = cache }
      return cache
    } catch {
      throw .badModelCache("\(error)")
    }
  }
}

/// What follows from a version's model, once it was asked for.
///
/// It makes no version differ from another.
private final class Derived: Hashable, Sendable {
  let hashes = Guarded<VersionHashes?>(nil)
  let modelCache = Guarded<[UInt8]?>(nil)

  static func == (left: Derived, right: Derived) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
