import StoreModel

/// A Swift file with versions of an app's model.
package struct SourceText: Sendable {
  /// The versions in the order of the plan, with those that its stages need between.
  package let schemas: [SchemaText]

  /// What each version was made from, as comments name it.
  private let origins: [String: String]

  /// The plan between the versions, if there are several.
  private let plan: PlanText?

  /// Makes the text of one version.
  package init(_ schema: SchemaText, origin: String) {
    schemas = [schema]
    origins = [schema.name: origin]
    plan = nil
  }

  /// Makes the text of several versions, oldest first, and of the plan between them.
  ///
  /// There is an origin for each version, and a migration for each but the first.
  package init(
    _ schemas: [SchemaText], origins: [String], migrations: [StageMigration]
  ) {
    let plan = PlanText(schemas, migrations)
    self.plan = plan
    self.schemas = plan.schemas
    self.origins = Dictionary(
      zip(schemas.map(\.name), origins), uniquingKeysWith: { first, _ in first })
  }

  /// Whether a stage of the plan leaves something to the reader.
  package var isIncomplete: Bool { plan?.isIncomplete == true }

  /// The text of the file.
  package var text: String {
    let imports =
      ["import Foundation", "import SwiftData"]
      + (schemas.contains(where: \.needsSwiftUI) ? ["import SwiftUI"] : [])
    let lines =
      header + [""] + imports + schemas.flatMap { [""] + $0.lines(names($0)) }
      + (plan.map { [""] + $0.lines } ?? [])
    return lines.joined(separator: "\n") + "\n"
  }

  private func names(_ schema: SchemaText) -> TypeNames {
    TypeNames(schema.model, versions: schemas.map(\.name) + (plan.map { [$0.name] } ?? []))
  }

  private var header: [String] {
    let made = schemas.flatMap { schema in
      let origin =
        origins[schema.name].map { "made from \($0)" }
        ?? "a version between two, which has the old and the new properties"
      let sentence =
        "\(schema.name): \(origin); version checksum \(VersionHashes(schema.model).checksum)."
      return sentence.commentLines(prefix: "// ")
    }
    let notes = [
      "Written by outbox-migrate, and not compiled or run on Apple's systems. Before you ship it,"
        + " create a store with it, and compare the store with the origin"
        + " ('outbox-migrate schema diff').",
      "Every property and relationship is as the model has it. Names of enums and structs aren't in"
        + " a model.",
    ]
    let frozen =
      "Where the model has a UUID, or a moment with a fraction of a second, as a default, this file"
      + " has UUID() or Date.now: SwiftData takes another one each time it builds the schema."
    let incomplete = "The plan doesn't do everything: read the comments in its stages."
    let sentences =
      notes + (hasFrozenDefaults ? [frozen] : []) + (isIncomplete ? [incomplete] : [])
    return made + sentences.flatMap { ["//"] + $0.commentLines(prefix: "// ") }
  }

  private var hasFrozenDefaults: Bool {
    schemas.contains { schema in
      schema.model.entities.contains { entity in
        entity.attributes.contains { $0.defaultValue?.isFrozen == true }
      }
    }
  }
}
