import JSONText
import Platform
import StoreFormat
import StoreModel

@testable import StoreExchange
@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

extension FuzzTarget {
  private static func bundled(_ isWanted: (String) -> Bool) -> [[UInt8]] {
    EmbeddedFile.all.filter { isWanted($0.path) }.map(\.bytes)
  }

  /// Migration files; what is read is followed on the models of a bundled migration.
  static let migration = FuzzTarget(
    name: "migration",
    seeds: {
      bundled { $0.hasSuffix(".json") && !$0.contains(".schema.") && !$0.contains(".edition.") }
    }
  ) { bytes in
    guard let migration = try? Migration(parsing: bytes, file: "f") else {
      _ = try? AbandonedEdition(parsing: bytes, file: "f")
      _ = try? ConverterFile(parsing: bytes, file: "f")
      return nil
    }
    guard let again = try? Migration(parsing: Array(migration.text().utf8), file: "f") else {
      return "what is written can't be read"
    }
    guard again.steps == migration.steps else { return "reading and writing changes it" }
    let catalog = Catalog.bundled
    guard let source = catalog.version(migration.from, of: migration.app)?.model,
      let target = catalog.version(migration.to, of: migration.app)?.model
    else { return nil }
    _ = try? Lineage(identityOf: source).applying(migration, source: source, target: target)
    return nil
  }

  /// Schema files; what is read can be laid out, hashed and archived.
  static let schema = FuzzTarget(
    name: "schema", seeds: { bundled { $0.hasSuffix(".schema.json") && !$0.contains("V1.") } }
  ) { bytes in
    guard let schema = try? SchemaFile(parsing: bytes, file: "f") else { return nil }
    guard let again = try? SchemaFile(parsing: Array(schema.text.utf8), file: "f"),
      again.model.entities == schema.model.entities
    else { return "reading and writing changes it" }
    return problem(of: schema.model)
  }

  /// Plan files.
  static let plan = FuzzTarget(
    name: "plan",
    seeds: {
      try SeedStore.outbox.withStore { path, migrator in
        [Array(try migrator.planFile(for: path, SeedStore.outbox.request).text.utf8)]
      }
    }
  ) { bytes in
    guard let plan = try? PlanFile(parsing: bytes, file: "f") else { return nil }
    let again = try? PlanFile(parsing: Array(plan.text.utf8), file: "f")
    return again?.plan == plan.plan ? nil : "reading and writing changes it"
  }

  /// Receipts of snapshots.
  static let receipt = FuzzTarget(
    name: "receipt",
    seeds: {
      try SeedStore.outbox.withStore { path, migrator in
        _ = try migrator.apply(to: path, SeedStore.outbox.request)
        return try SnapshotFolder.all(of: StoreFiles(path: path)).map {
          try FileSystem.read($0.file(.receipt).path)
        }
      }
    }
  ) { bytes in
    guard let receipt = try? Receipt(parsing: bytes, file: "f") else { return nil }
    let again = try? Receipt(parsing: Array(receipt.text.utf8), file: "f")
    return again == receipt ? nil : "reading and writing changes it"
  }

  /// Lines of the files that keep rows: parked, quarantined, and what became of the rest.
  static let row = FuzzTarget(
    name: "row",
    seeds: {
      [
        "{\"entity\":\"E\",\"key\":1,\"whole\":true,\"values\":{\"Z\":{\"value\":{\"integer\":1}}}}",
        "{\"entity\":\"E\",\"key\":1,\"whole\":false,\"values\":{\"Z\":{\"value\":null,\"instead_of\":"
          + "{\"real\":\"3ff0000000000000\"}}}}",
        "{\"key\":3,\"reason\":\"account\",\"values\":{\"A\":{\"text\":\"x\"},\"B\":"
          + "{\"blob_base64\":\"AAE=\"},\"C\":{\"text_base64\":\"/w==\"}}}",
        "{\"key\":1,\"fate\":\"folded\",\"other\":2}", "{\"key\":1,\"fate\":\"account\"}",
        "{\"format_version\":1,\"app\":\"Lume\",\"from\":\"V6\",\"to\":\"V7\"}",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    guard let line = String(validating: bytes, as: UTF8.self) else { return nil }
    if let row = try? ParkedRow(parsing: line, file: "f") {
      guard let again = try? ParkedRow(parsing: row.line, file: "f"), again == row
      else { return "a parked row changes" }
    }
    if let row = try? QuarantinedRow(parsing: line) {
      guard let again = try? QuarantinedRow(parsing: row.line), again == row else {
        return "a row in quarantine changes"
      }
    }
    if let fate = try? SetAsideFile.Line(parsing: line) {
      guard let again = try? SetAsideFile.Line(parsing: fate.text), again == fate else {
        return "a fate changes"
      }
    }
    _ = try? ParkingHeader(parsing: line, file: "f")
    _ = try? QuarantineHeader(parsing: line, file: "f")
    return nil
  }
}
