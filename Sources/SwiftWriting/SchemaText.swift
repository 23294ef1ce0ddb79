package import StoreModel

/// Writes a version of an app's model as a `VersionedSchema`.
///
/// The model has no ``StoreModel/Model/swiftDataLimits``.
package struct SchemaText: Sendable {
  /// The name of the enum.
  package let name: String

  /// The model.
  package let model: Model

  /// The version number, if it isn't the model's.
  let versionNumber: [Int]?

  package init(name: String, model: Model) { self.init(name: name, model: model, number: nil) }

  init(name: String, model: Model, number: [Int]?) {
    self.name = name
    self.model = model
    versionNumber = number
  }

  /// Returns whether a text can be the name of a version.
  package static func isName(_ text: String) -> Bool {
    SwiftIdentifier.isName(text) && SwiftIdentifier.spelled(text) == text
      && !TypeNames.moduleNames.contains(text)
  }

  /// Returns a name for a version of an app, such as `LumeSchemaV7`.
  package static func name(ofApp app: String, version: String) -> String {
    SwiftIdentifier.capitalized(SwiftIdentifier.made(from: app)) + "Schema"
      + SwiftIdentifier.capitalized(SwiftIdentifier.made(from: version))
  }

  /// The version number that the store's metadata has, if it has one of three parts.
  var number: [Int]? {
    guard model.versionIdentifiers.count == 1 else { return nil }
    let parts = model.versionIdentifiers[0].split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { UInt16($0).map(Int.init) }
    return numbers.count == 3 && parts.count == 3 ? numbers : nil
  }

  /// Returns the lines of the enum.
  func lines(_ names: TypeNames) -> [String] {
    let pairs = InversePairs(model)
    let classes = model.entities.map {
      ClassText(entity: $0, model: model, names: names, pairs: pairs)
    }
    let list = (versionNumber ?? number ?? [1, 0, 0]).map(String.init).joined(separator: ", ")
    let types = model.entities.map { "\(SwiftIdentifier.spelled($0.name)).self" }
    let lines = types.map { "      \($0)," }
    let note =
      versionNumber == nil && number == nil
      ? ["  // The model has no version number of three parts: this one is made up."] : []
    return availability + ["enum \(name): \(names["VersionedSchema"]) {"] + note
      + ["  static let versionIdentifier = \(names["Schema"]).Version(\(list))", ""]
      + ["  static var models: [any \(names["PersistentModel"]).Type] {", "    ["] + lines
      + ["    ]", "  }"]
      + classes.flatMap { [""] + $0.lines.map { $0.indented() } } + ["}"]
  }

  /// Whether a property's type is SwiftUI's.
  var needsSwiftUI: Bool {
    model.entities.contains { entity in
      entity.attributes.contains {
        $0.type == .composite && CompositeKind($0) == .resolvedColor
      }
    }
  }

  /// The systems that have all of the version's macros; empty if iOS 17 has them.
  var availability: [String] {
    if model.entities.contains(where: { $0.superentityName != nil }) {
      return ["@available(iOS 26, macOS 26, tvOS 26, visionOS 26, watchOS 26, *)"]
    }
    let pairs = InversePairs(model)
    let names = TypeNames(model, versions: [name])
    let needsSystem18 = model.entities.contains {
      ClassText(entity: $0, model: model, names: names, pairs: pairs).needsSystem18
    }
    guard needsSystem18 else { return [] }
    return ["@available(iOS 18, macOS 15, tvOS 18, visionOS 2, watchOS 11, *)"]
  }
}
