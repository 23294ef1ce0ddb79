package import JSONText

/// A reason why no template can be imported.
package enum TemplateImportError: Error, Hashable, Sendable {
  /// The file is no property list.
  case noPropertyList(String)

  /// The property list is no dictionary, as preferences are.
  case noDictionary

  /// The preferences don't have the key; these are near.
  case noKey(String, near: [String])

  /// What is under the key is neither data nor text.
  case noJSON(String)

  /// What is under the key is no array in JSON.
  case json(key: String, JSONError)

  /// The store's model has no workout templates.
  case noTemplates(missing: String)

  /// The user that was given has no profile in the store.
  case noProfile(String)

  /// Templates belong to a user whom nothing tells; these are the store's profiles.
  case profileNeeded(templates: Int, candidates: [String])
}

extension TemplateImportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noPropertyList(let reason):
      "is no property list: \(reason); give the app's preferences, "
        + "'Library/Preferences/<bundle id>.plist'"
    case .noDictionary:
      "is a property list, but no dictionary; give the app's preferences, "
        + "'Library/Preferences/<bundle id>.plist'"
    case .noKey(let key, let near) where near.isEmpty:
      "has nothing under '\(key)'; give the key with '--key'"
    case .noKey(let key, let near):
      "has nothing under '\(key)'; give the key with '--key', perhaps "
        + near.map { "'\($0)'" }.joined(separator: " or ")
    case .noJSON(let key):
      "has neither data nor text under '\(key)'; templates are a JSON array there"
    case .json(let key, let error):
      "has no JSON array under '\(key)': \(error)"
    case .noTemplates(let missing):
      "has no '\(missing)', which FitIQ has from V11 on; migrate the store first"
    case .noProfile(let user):
      "has no profile of the user '\(user)'; give the id of one, or its row"
    case .profileNeeded(let templates, let candidates) where candidates.isEmpty:
      "has no profile for \(templates) of the templates; "
        + "let the app sign in first, so that there is one"
    case .profileNeeded(let templates, let candidates):
      "has several profiles, and \(templates) of the templates name none of them; "
        + "choose with '--user-id': \(candidates.joined(separator: ", "))"
    }
  }
}
