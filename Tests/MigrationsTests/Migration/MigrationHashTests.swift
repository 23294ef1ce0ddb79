import Testing

@testable import Migrations

/// The hash by which a saved plan knows a migration again.
@Suite struct MigrationHashTests {
  private func hash(_ step: String, formula: String = "value * 10") throws -> (String, String) {
    let converters = """
      { "format_version": 1, "app": "App", "converters": [
        { "name": "up", "inverse": "down", "from": "Double", "to": "Double", "sql": "\(formula)" },
        { "name": "down", "inverse": "up", "from": "Double", "to": "Double", "sql": "value / 10" }
      ] }
      """
    let names = ConverterNames([
      try ConverterFile(parsing: Array(converters.utf8), file: nil)
    ])
    let file = """
      { "format_version": 1, "app": "App", "from": "V1", "to": "V2", "steps": [ \(step) ] }
      """
    let migration = try Migration(parsing: Array(file.utf8), file: nil, converters: names)
    return (migration.hash, migration.checksum)
  }

  @Test(arguments: [
    #"{ "convert": "Item.count", "with": "up" }"#,
    #"{ "backfill": "Item.amount", "from": "count", "with": "up" }"#,
  ])
  func `the formulas of converter files are in it`(step: String) throws {
    let (hash, checksum) = try hash(step)
    #expect(hash != checksum && hash.count == 64)
    #expect(try self.hash(step).0 == hash)
    #expect(try self.hash(step, formula: "value * 100").0 != hash)
  }

  @Test func `without converter files it is the checksum`() throws {
    let (hash, checksum) = try hash(#"{ "rename": "Item.count", "to": "amount" }"#)
    #expect(hash == checksum)
  }
}
