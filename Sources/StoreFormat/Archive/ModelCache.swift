import Platform
import PropertyList
package import StoreModel

/// The value in `Z_MODELCACHE`: a compressed, archived model.
///
/// It is the model that the store was last opened with. Core Data uses it to infer migrations. See
/// `StoreFormat.md` §3.3.
package enum ModelCache {
  /// The maximum decompressed size in bytes; the largest known cache has 65,000.
  static let largestByteCount = 4 << 20

  /// The maximum number of values in the property list, for models of that size.
  private static let mostValues = 2_000_000

  /// Decoded models by the SHA-256 hash of their caches.
  private static let known = Guarded<[[UInt8]: Model]>([:])
  private static let mostKnown = 4

  /// Decodes the model in a cache.
  ///
  /// A run decodes the same cache for each opening and copy of a store. So up to four models are
  /// kept.
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

  /// Encodes a model as a cache.
  ///
  /// - Throws: ``ArchiveError/unsupported(_:)`` for a model with ``Model/unsupportedFeatures``, or
  ///   ``ArchiveError/unknownEntity(_:namedBy:)`` for one that refers to a missing entity.
  package static func encode(_ model: Model) throws(ArchiveError) -> [UInt8] {
    // With this level, caches have the same bytes as Core Data's (StoreFormat.md §3.3).
    deflateRaw(try KeyedArchive(model).propertyList.binary(), level: 5)
  }

  /// Reads the archive in a cache, without decoding the model.
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
      preconditionFailure("decompressing and parsing throw no other errors")
    }
    return try KeyedArchive(list)
  }
}
