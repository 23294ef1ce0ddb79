import XMLText
import StoreModel

/// A part of a model that a schema doesn't have, although Xcode compiles it.
///
/// None changes hashes or tables.
enum DroppedPart: CaseIterable {
  case validation
  case fetchRequest
  case fetchedProperty
  case spotlight
  case cloudKit
  case truthFile

  /// Returns a sentence with the count of each kind of part that a model has.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  static func sentences(_ model: XMLElement) -> [String] {
    allCases.compactMap { part in
      let count = part.count(in: model)
      let verb = count == 1 ? "is" : "are"
      return count == 0 ? nil : "\(counted(count, part.words.one, part.words.many)) \(verb) ignored"
    }
  }

  private func count(in element: XMLElement) -> Int {
    let own = element.attributes.count {
      attributes.contains($0.name) && !["", "no", "false"].contains($0.value.lowercased())
    }
    // A fetched property contains its request, which doesn't count again.
    let inner = element.name == "fetchedProperty" ? [] : element.children
    return inner.reduce(own + (element.name == child ? 1 : 0)) { $0 + count(in: $1) }
  }

  private var attributes: Set<String> {
    switch self {
    case .validation:
      [
        "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
        "regularExpressionString",
      ]
    case .spotlight: ["spotlightIndexingEnabled", "coreSpotlightDisplayNameExpression"]
    case .cloudKit: ["usedWithCloudKit", "allowsCloudEncryption"]
    case .truthFile: ["storedInTruthFile"]
    case .fetchRequest, .fetchedProperty: []
    }
  }

  private var child: String? {
    switch self {
    case .fetchRequest: "fetchRequest"
    case .fetchedProperty: "fetchedProperty"
    case .validation, .spotlight, .cloudKit, .truthFile: nil
    }
  }

  private var words: (one: String, many: String) {
    switch self {
    case .validation: ("validation rule", "validation rules")
    case .fetchRequest: ("fetch request", "fetch requests")
    case .fetchedProperty: ("fetched property's request", "fetched properties' requests")
    case .spotlight: ("setting for Spotlight", "settings for Spotlight")
    case .cloudKit: ("setting for CloudKit", "settings for CloudKit")
    case .truthFile: ("'storedInTruthFile'", "'storedInTruthFile'")
    }
  }
}
