package import JSONText

/// An error that prevents the import of all templates.
package enum TemplateImportError: Error, Hashable, Sendable {
  /// The file isn't a property list.
  case noPropertyList(String)

  /// The property list isn't a dictionary.
  case noDictionary

  /// The preferences don't contain the key; `near` lists similar ones.
  case noKey(String, near: [String])

  /// The value of the key is neither data nor a string.
  case noJSON(String)

  /// The value of the key isn't a JSON array.
  case json(key: String, JSONError)

  /// The store's model has no workout templates.
  case noTemplates(missing: String)

  /// The store has no profile of the given user.
  case noProfile(String)

  /// Templates don't name a user; `candidates` lists the store's profiles.
  case profileNeeded(templates: Int, candidates: [String])
}

extension TemplateImportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noPropertyList(let reason):
      "isn't a property list: \(reason); pass the app's preferences, "
        + "'Library/Preferences/<bundle id>.plist'"
    case .noDictionary:
      "is a property list, but not a dictionary; pass the app's preferences, "
        + "'Library/Preferences/<bundle id>.plist'"
    case .noKey(let key, let near) where near.isEmpty:
      "has no key '\(key)'; choose another key with '--key'"
    case .noKey(let key, let near):
      "has no key '\(key)'; choose another key with '--key', such as "
        + near.map { "'\($0)'" }.joined(separator: " or ")
    case .noJSON(let key):
      "has neither data nor a string under '\(key)'; expected a JSON array of templates"
    case .json(let key, let error):
      "has no JSON array under '\(key)': \(error)"
    case .noTemplates(let missing):
      "has no '\(missing)', which FitIQ has since V11; migrate the store first"
    case .noProfile(let user):
      "has no profile of user '\(user)'; pass a profile's id or row"
    case .profileNeeded(let templates, let candidates) where candidates.isEmpty:
      "has no profile for \(templates) of the templates; "
        + "sign in to the app first to create one"
    case .profileNeeded(let templates, let candidates):
      "has several profiles, and \(templates) of the templates don't name one of them; "
        + "choose one with '--user-id': \(candidates.joined(separator: ", "))"
    }
  }
}
