import SafeText
import JSONText
import StoreModel
import SwiftWriting

/// The report of `schema swift`, if it wrote a file.
struct WrittenSwift: Report {
  let source: SourceText

  /// The path of the file.
  let path: String

  var hasChangedFiles: Bool { true }

  func lines(_ style: Style) -> [String] {
    let versions = source.schemas.map { schema in
      "\(schema.name) with \(schema.model.entities.count.counted("class", "classes"))"
    }
    return [
      "Wrote \(path): ".printable + versions.joined(separator: ", ") + ".",
      "It wasn't compiled or run on Apple's systems.",
    ]
      + (source.isIncomplete
        ? ["The plan doesn't do everything: read the comments in its stages."] : [])
  }

  var members: [JSONValue.Member] {
    [
      .init("file", .string(path)),
      .init(
        "versions",
        JSONValue(source.schemas) { schema in
          [
            "name": .string(schema.name), "classes": JSONValue(schema.model.entities.count),
            "checksum": .string(VersionHashes(schema.model).checksum),
          ]
        }),
      .init("complete", .bool(!source.isIncomplete)),
    ]
  }
}
