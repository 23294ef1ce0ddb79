import Migrations
import StoreModel
import Testing

/// What steps may read and must say when the links of a relationship are stored in another way.
@Suite struct RelinkedLineageTests {
  private static func relationship(
    _ name: String, to entity: String, isToMany: Bool, inverse: String?
  ) -> String {
    let many = isToMany ? #", "many": true, "max": 0"# : ""
    let back = inverse.map { #", "inverse": "\#($0)""# } ?? ""
    return #"{ "name": "\#(name)", "to": "\#(entity)", "optional": true\#(many)\#(back) }"#
  }

  /// Notes and tags, linked by `Note.tags` and, if that has an inverse, `Tag.note`.
  ///
  /// - Parameters:
  ///   - name: The version.
  ///   - isToMany: Whether `Note.tags` is to-many.
  ///   - note: Whether `Tag.note` is to-many; `nil` if there is no such relationship.
  ///   - hasPlace: Whether tags have the attribute `place`.
  ///   - tag: The name of the tags' entity.
  ///   - more: Other entities.
  /// - Returns: The version.
  /// - Throws: A mistake in the text.
  private static func version(
    _ name: String, tags isToMany: Bool, note: Bool? = false, hasPlace: Bool = false,
    tag: String = "Tag", more: String = ""
  ) throws -> ModelVersion {
    let title = #"{ "name": "title", "type": "String", "optional": true }"#
    let place = hasPlace ? #", { "name": "place", "type": "Integer 64", "optional": true }"# : ""
    let rank = #"{ "name": "rank", "type": "Integer 64", "optional": true }"#
    let tags = relationship(
      "tags", to: tag, isToMany: isToMany, inverse: note == nil ? nil : "note")
    let back = note.map { relationship("note", to: "Note", isToMany: $0, inverse: "tags") } ?? ""
    let text = """
      { "format_version": 1, "app": "notes", "version": "\(name)", "identifiers": ["\(name)"], "entities": [
        { "name": "Note", "attributes": [\(title)], "relationships": [\(tags)] },
        { "name": "\(tag)", "attributes": [\(rank), \(title)\(place)], "relationships": [\(back)] }
        \(more) ] }
      """
    return ModelVersion(try SchemaFile(parsing: Array(text.utf8), file: nil))
  }

  private func lineage(
    _ steps: String, from old: ModelVersion, to new: ModelVersion
  ) throws -> Lineage {
    let text = """
      { "format_version": 1, "app": "notes", "from": "V1", "to": "V2", "steps": [\(steps)] }
      """
    let migration = try Migration(parsing: Array(text.utf8), file: nil)
    return try Lineage(identityOf: old.model)
      .applying(migration, source: old.model, target: new.model)
  }

  private func failure(
    _ steps: String, from old: ModelVersion, to new: ModelVersion
  ) throws -> String {
    do { _ = try lineage(steps, from: old, to: new) } catch { return "\(error)" }
    return ""
  }

  // MARK: Later steps

  private static let readers = [
    #"{ "compute": "Tag.title", "sql": "note.title" }"#,
    #"{ "unite": "Tag", "by": ["note"], "keep": "first" }"#,
    #"{ "sequence": "Tag.place", "by": ["rank"], "within": "note" }"#,
    #"{ "backfill": "Tag.note", "from": "title", "matching": "title", "where": "null" }"#,
  ]

  @Test(arguments: readers)
  func `later steps can't read or fill the inverse of a relinked relationship`(
    reader: String
  ) throws {
    let hasPlace = reader.contains("place")
    let old = try Self.version("V1", tags: true)
    let new = try Self.version("V2", tags: false, hasPlace: hasPlace)
    let relink = #"{ "relink": "Note.tags", "keep": "first" }"#
    let message = try failure("\(relink), \(reader)", from: old, to: new)
    #expect(message.contains("step 2") && message.contains("note"), "\(message)")
    #expect(try failure("\(reader), \(relink)", from: old, to: new) == "")
    let unchanged = try Self.version("V2", tags: true, hasPlace: hasPlace)
    #expect(try failure(reader, from: old, to: unchanged) == "")
  }

  // MARK: Inverses

  @Test(arguments: [true, false])
  func `a to-many relationship that gets or loses its inverse needs a step`(
    losesIt: Bool
  ) throws {
    let old = try Self.version("V1", tags: true, note: losesIt ? false : nil)
    let new = try Self.version("V2", tags: true, note: losesIt ? nil : false)
    let change = losesIt ? #"{ "drop": "Tag.note" }"# : #"{ "add": "Tag.note" }"#
    #expect(
      try failure(change, from: old, to: new).contains(
        "'Note.tags' gets or loses its inverse, and its links are stored in another way; add a step"
      ))
    let path = PropertyPath(entity: "Note", property: "tags")
    for steps in [
      #"\#(change), { "relink": "Note.tags" }"#, #"{ "relink": "Note.tags" }, \#(change)"#,
    ] {
      #expect(try lineage(steps, from: old, to: new).relinks.map(\.source) == [path])
    }
    let inferred = InferredMigration(from: old, to: new)
    #expect(inferred.openQuestions.isEmpty)
    #expect(inferred.migration.steps.filter { $0 == .relink(path, keep: nil) }.count == 1)
    #expect(
      try Lineage(identityOf: old.model)
        .applying(inferred.migration, source: old.model, target: new.model)
        .relinks.map(\.source) == [path])
  }

  @Test func `a to-one relationship that loses its inverse needs no step`() throws {
    let old = try Self.version("V1", tags: false)
    let new = try Self.version("V2", tags: false, note: nil)
    #expect(try failure(#"{ "drop": "Tag.note" }"#, from: old, to: new) == "")
  }

  // MARK: Names

  private static let renamed = #"{ "rename": "Tag", "to": "Label" }, { "add": "Tag" }"#

  private static func versions(tags isToMany: Bool) throws -> (ModelVersion, ModelVersion) {
    let rank = #"{ "name": "rank", "type": "Integer 64", "optional": true }"#
    return (
      try version("V1", tags: isToMany),
      try version(
        "V2", tags: false, tag: "Label",
        more: #", { "name": "Tag", "attributes": [\#(rank)] }"#)
    )
  }

  @Test func `a choice reads the linked rows, though a new entity has their old name`() throws {
    let (old, new) = try Self.versions(tags: true)
    let relink = #"{ "relink": "Note.tags", "keep": "newest rank" }"#
    for steps in ["\(Self.renamed), \(relink)", "\(relink), \(Self.renamed)"] {
      let relinks = try lineage(steps, from: old, to: new).relinks
      #expect(relinks.map { $0.order?.source } == ["Tag"])
    }
  }

  @Test func `empty links are filled, though a new entity has the old name of the rows`() throws {
    let (old, new) = try Self.versions(tags: false)
    let fill =
      #"{ "backfill": "Note.tags", "from": "title", "matching": "title", "where": "null" }"#
    let lineage = try lineage("\(Self.renamed), \(fill)", from: old, to: new)
    #expect(lineage.entities["Note"]?.relationships["tags"]?.match?.entity == "Tag")
  }
}
