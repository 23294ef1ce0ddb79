import Platform
import PropertyList
import StoreModel
import TestSupport

@testable import StoreFormat
@testable import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

extension FuzzTarget {
  /// Binary property lists, such as a store's metadata.
  static let list = FuzzTarget(
    name: "list",
    seeds: {
      let metadata = StoreMetadata(uuid: "A", model: .animals, frameworkVersion: 1)
      let every = PropertyList.array([
        .boolean(true), .integer(-1), .integer(1 << 40), .unsigned(.max), .real(0.5), .float(2),
        .date(1), .data([1, 2, 3]), .string("a"), .string("é"), .uid(3), .set([.null]),
        .dictionary(["k": .array([])]),
      ])
      return [metadata.plist, every.binary()]
    }
  ) { bytes in
    guard let list = try? PropertyList(binary: bytes) else { return nil }
    let written = list.binary()
    guard let again = try? PropertyList(binary: written) else { return "it can't be read again" }
    // NaN isn't equal to itself, so the bytes are compared.
    return again.binary() == written ? nil : "reading and writing changes it"
  }

  /// Archived models, without their compression.
  static let archive = FuzzTarget(
    name: "archive", seeds: { [try KeyedArchive(.animals).propertyList.binary()] }
  ) { bytes in
    guard let list = try? PropertyList(binary: bytes, budget: 1_000_000),
      let archive = try? KeyedArchive(list), let model = try? Model(archive)
    else { return nil }
    return problem(of: model)
  }

  /// What stands in `Z_MODELCACHE`.
  static let cache = FuzzTarget(name: "cache", seeds: { [try ModelCache.encode(.animals)] }) {
    bytes in
    guard let model = try? ModelCache.decode(bytes) else { return nil }
    return problem(of: model)
  }

  /// A model that strangers wrote can be laid out, hashed, told and written again, or is refused.
  static func problem(of model: Model) -> String? {
    _ = VersionHashes(model)
    let layout = StoreLayout(model)
    _ = layout.tables.map(\.createStatement) + layout.joinTables.map(\.createStatement)
    _ = layout.indexes.map(\.createStatement)
    let text = SchemaFile(app: "App", version: "V1", model: model).text
    _ = try? SchemaFile(parsing: Array(text.utf8), file: nil)
    guard let written = try? KeyedArchive(model) else { return nil }
    guard let again = try? Model(written) else { return "its archive can't be read" }
    return again.entities == model.entities ? nil : "archiving changes it"
  }
}
