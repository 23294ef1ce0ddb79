/// A reason why a store can't be repaired.
package enum RepairError: Error, Hashable, Sendable {
  /// No version fits the tables of the store.
  case noVersion(String, reason: String)

  /// Several versions fit the tables of the store; each is named as `APP:VERSION`.
  case severalVersions(String, names: [String])

  /// Mandatory attributes of rows have neither a value nor a default value.
  case valuesNeeded(String, attributes: [String])

  /// The model has no mandatory attribute of that name.
  case noAttribute(String)

  /// The value isn't one of the attribute's type; the value isn't repeated.
  case badValue(attribute: String, expected: String)

  /// The hashes of the version's model can't be computed.
  case unknownHashes(version: String, entities: [String])
}

extension RepairError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noVersion(let path, let reason):
      "the version of '\(path)' can't be found: \(reason); "
        + "give the app's model with '--app-version'"
    case .severalVersions(let path, let names):
      "'\(path)' has the tables of several versions: "
        + "\(names.joined(separator: ", ")); name one with '--app-version'"
    case .valuesNeeded(let path, let attributes):
      "rows of '\(path)' have no value in \(attributes.count == 1 ? "a mandatory attribute" : "mandatory attributes") "
        + "without a default value; give one for each: "
        + attributes.map { "--fill '\($0)=VALUE'" }.joined(separator: " ")
    case .noAttribute(let name):
      "the model has no mandatory attribute '\(name)'; "
        + "'outbox-migrate schema show' lists the attributes"
    case .badValue(let attribute, let expected):
      "the value for '\(attribute)' isn't \(expected); give such a value with '--fill'"
    case .unknownHashes(let version, let entities):
      "the hashes of \(entities.map { "'\($0)'" }.joined(separator: ", ")) in '\(version)' "
        + "aren't known; give a store that the app wrote at this version with '--app-version'"
    }
  }
}
