import InputFiles
import SafeText
import JSONText
import StoreModel

/// The report of `schema show`.
struct ShownSchema: Report {
  let schema: SchemaFile

  func lines(_ style: Style) -> [String] { schema.lines(style) }

  var members: [JSONValue.Member] {
    let hashes = KnownHashes(schema.model)
    guard case .object(let members) = schema.json else { return [] }
    // A captured schema has hashes of its own, which are these.
    return members.filter { !["format_version", "hashes"].contains($0.key) } + [
      .init("digest", JSONValue(hashes.digest)), .init("checksum", JSONValue(hashes.checksum)),
      .init(
        "hashes",
        .object(
          schema.model.entities.map { entity in
            .init(entity.name, JSONValue(hashes.hash(of: entity.name)))
          })),
    ]
  }
}
