import JSONText
import Platform
import StoreModel

/// The report of `schema show`.
struct ShownSchema: Report {
  let schema: SchemaFile

  func lines(_ style: Style) -> [String] { schema.lines(style) }

  var members: [JSONValue.Member] {
    let hashes = VersionHashes(schema.model)
    guard case .object(let members) = schema.json else { return [] }
    return members.filter { $0.key != "format_version" } + [
      .init("digest", .string(hashes.digest)), .init("checksum", .string(hashes.checksum)),
      .init(
        "hashes",
        .object(
          schema.model.entities.map { entity in
            .init(entity.name, .string(Hexadecimal.encode(hashes.entities[entity.name] ?? [])))
          })),
    ]
  }
}
