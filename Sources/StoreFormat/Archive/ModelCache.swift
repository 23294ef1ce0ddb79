import Platform
import PropertyList
package import StoreModel

/// The one value of `Z_MODELCACHE`: a model, archived and compressed.
///
/// It is the model with which the store was last opened, and lets Core Data infer a migration from
/// it without the app's help. See `StoreFormat.md` §3.3.
package enum ModelCache {
  /// How many bytes a cache may hold when it is unpacked; the largest real ones hold 65 000.
  static let largestByteCount = 4 << 20

  /// How many values its property list may unfold to, for the same models.
  private static let mostValues = 2_000_000

  /// Models by the SHA-256 of their caches, a few at most.
  private static let known = Guarded<[[UInt8]: Model]>([:])
  private static let mostKnown = 4

  /// Reads a model from the bytes of a cache.
  ///
  /// A run reads the same cache again each time that it opens the store, and with each copy: up to four models
  /// are kept, then it begins anew.
  package static func decode(_ bytes: [UInt8]) throws(ArchiveError) -> Model {
    let digest = sha256(bytes)
    if let model = known.withLock({ $0[digest] }) { return model }
    let model = try Model(archive(bytes))
    known.withLock { known in
      if known.count >= mostKnown { known.removeAll() }
      known[digest] = model
    }
    return model
  }

  /// Returns the bytes of a cache with a model.
  ///
  /// - Throws: ``ArchiveError/unsupported(_:)`` for a model that has ``Model/unsupportedFeatures``,
  ///   and ``ArchiveError/unknownEntity(_:namedBy:)`` for one that refers to what it doesn't have.
  package static func encode(_ model: Model) throws(ArchiveError) -> [UInt8] {
    // Core Data's own caches come out to the byte at this level (StoreFormat.md §3.3).
    deflateRaw(try KeyedArchive(model).propertyList.binary(), level: 5)
  }

  /// Reads the archive from the bytes of a cache, as it is.
  package static func archive(_ bytes: [UInt8]) throws(ArchiveError) -> KeyedArchive {
    let list: PropertyList
    do {
      list = try PropertyList(
        binary: inflateRaw(bytes, limit: largestByteCount), budget: mostValues)
    } catch let error as InflateError {
      throw .compression(error)
    } catch let error as PropertyListError {
      throw .propertyList(error)
    } catch {
      preconditionFailure("unpacking throws no other errors")
    }
    return try KeyedArchive(list)
  }
}
