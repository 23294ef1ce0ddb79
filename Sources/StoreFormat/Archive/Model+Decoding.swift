import PropertyList
package import StoreModel

extension Model {
  /// Reads an archived `NSManagedObjectModel`.
  ///
  /// Some parts are skipped: validation predicates and warnings, fetch request templates, Spotlight
  /// flags, predicates of partial indexes, queries of fetched properties, and default values of
  /// custom classes. Core Data takes them from the app's model, never from the cache. They affect
  /// neither version hashes nor table layouts (StoreFormat.md §10.1, §5).
  ///
  /// Derived and Codable attributes are read, and are listed in ``unsupportedFeatures``.
  package init(_ archive: KeyedArchive) throws(ArchiveError) {
    var decoder = ModelDecoder()
    self = try decoder.model(archive.rootObject)
  }
}

/// Decodes an archived model.
struct ModelDecoder {
  var budget = ArchiveBudget()

  /// The parts of an entity that are read before its properties.
  struct Outline {
    let name: String
    let object: ArchivedObject
    let properties: [(key: String, value: ArchivedObject)]
    let propertyNames: Set<String>
    let superentityName: String?
  }

  mutating func model(_ root: ArchivedObject) throws(ArchiveError) -> Model {
    guard try root.classNames.contains("NSManagedObjectModel") else {
      throw .unexpected("the root", wanted: "an NSManagedObjectModel")
    }
    let outlines = try outlines(root)
    var entities: [Entity] = []
    var isSwiftData = !outlines.isEmpty
    for outline in outlines.values.sorted(by: { $0.name < $1.name }) {
      entities.append(try entity(outline, among: outlines))
      // SwiftData writes the list of constraints even if it is empty.
      isSwiftData = isSwiftData && outline.object.value["NSUniqueTuples"] != nil
    }
    let namesClasses = entities.contains { $0.className != nil }
    return Model(
      entities: entities,
      versionIdentifiers: try texts(root.object("NSVersionIdentifiers")),
      configurations: try configurations(root.object("NSConfigurations")),
      dialect: !isSwiftData ? .coreData : namesClasses ? .swiftData17 : .swiftData)
  }

  private mutating func outlines(
    _ root: ArchivedObject
  ) throws(ArchiveError) -> [String: Outline] {
    guard let list = try root.object("NSEntities") else {
      throw .unexpected("'NSEntities'", wanted: "a dictionary")
    }
    var outlines: [String: Outline] = [:]
    for (key, object) in try budget.entries(of: list) {
      let name = try object.text("NSEntityName") ?? key
      guard name == key else { throw .unexpected("the key of '\(name)'", wanted: "its name") }
      let properties = try budget.entries(of: object.object("NSProperties"))
      let outline = Outline(
        name: name, object: object, properties: properties,
        propertyNames: Set(properties.map(\.key)),
        superentityName: try object.object("NSSuperentity")?.text("NSEntityName"))
      guard outlines.updateValue(outline, forKey: name) == nil else { throw .duplicate(name) }
    }
    return outlines
  }

  private mutating func configurations(
    _ object: ArchivedObject?
  ) throws(ArchiveError) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for (name, members) in try budget.entries(of: object) {
      var names: [String] = []
      for entity in try budget.elements(of: members) {
        guard let name = try entity.text("NSEntityName") else {
          throw .unexpected("a member of the configuration '\(name)'", wanted: "an entity")
        }
        names.append(name)
      }
      configurations[name] = names
    }
    return configurations
  }

  /// Returns the texts in an array or a set.
  mutating func texts(_ object: ArchivedObject?) throws(ArchiveError) -> [String] {
    var texts: [String] = []
    for element in try budget.elements(of: object) {
      guard let text = element.text else {
        throw .unexpected("object \(element.number)", wanted: "text")
      }
      texts.append(text)
    }
    return texts
  }
}
