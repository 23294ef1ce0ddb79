/// The names of attributes and elements that an element of an `.xcdatamodel` can have.
///
/// Those that the reader doesn't use change neither the hashes of a model nor its tables: they
/// are about classes and the editor, or a ``DroppedPart``.
struct XMLNames {
  let attributes: Set<String>
  let children: Set<String>

  /// The elements that declare a composite.
  static let composites: Set = ["composite", "compositeAttribute"]

  static let model = XMLNames(
    attributes: [
      "name", "userDefinedModelVersionIdentifier",
      "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
      "sourceLanguage", "macOSVersion", "iOSVersion", "tvOSVersion", "watchOSVersion",
      "visionOSVersion", "usedWithCloudKit", "usedWithSwiftData",
    ],
    children: composites.union(["entity", "configuration", "fetchRequest", "elements"]))

  static let configuration = XMLNames(
    attributes: ["name", "usedWithCloudKit"], children: ["memberEntity"])

  static let entity = XMLNames(
    attributes: [
      "name", "representedClassName", "isAbstract", "parentEntity", "elementID",
      "versionHashModifier",
      "codeGenerationType", "customClassName", "syncable", "coreSpotlightDisplayNameExpression",
    ],
    children: [
      "attribute", "relationship", "fetchedProperty", "userInfo", "uniquenessConstraints",
      "compoundIndexes", "fetchIndex",
    ])

  static let attribute = XMLNames(
    attributes: [
      "name", "attributeType", "optional", "transient", "indexed", "derived",
      "derivationExpression", "versionHashModifier", "elementID", "defaultValueString",
      "defaultDateTimeInterval", "customClassName", "valueTransformerName",
      "allowsExternalBinaryDataStorage", "preserveAfterDeletion",
      "usesScalarValueType", "syncable", "minValueString", "maxValueString",
      "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
      "spotlightIndexingEnabled", "storedInTruthFile", "allowsCloudEncryption",
    ],
    children: ["userInfo"])

  static let relationship = XMLNames(
    attributes: [
      "name", "destinationEntity", "inverseName", "toMany", "minCount", "maxCount", "ordered",
      "optional", "transient", "deletionRule", "versionHashModifier", "elementID",
      "inverseEntity", "syncable", "indexed", "spotlightIndexingEnabled", "storedInTruthFile",
    ],
    children: ["userInfo"])

  static let fetchIndex = XMLNames(
    attributes: ["name", "partialIndexPredicate"], children: ["fetchIndexElement"])
}
