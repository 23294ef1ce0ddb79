/// What a reader admits as a value in a JSON document.
///
/// Readers check objects by shapes, and the published JSON Schemas are written from the same shapes.
package indirect enum JSONShape: Hashable, Sendable {
  /// A string that matches the regular expression, in the syntax of ECMA-262.
  ///
  /// The reader's own code is what refuses other strings.
  case string(matching: String? = nil)

  /// One of these strings.
  case name(of: [String])

  /// A whole number of 64 bits, spelled without a decimal point and exponent.
  case integer

  /// A whole number of 64 bits that isn't negative.
  case count

  /// This whole number.
  case constant(Int64)

  /// A number.
  case number

  /// `true` or `false`.
  case boolean

  /// `null`.
  case null

  /// An array of such values, with a minimum number of them.
  case array(of: JSONShape, atLeast: Int = 0)

  /// An object whose keys the document chooses, with a minimum number of them.
  case dictionary(of: JSONShape, atLeast: Int = 0)

  /// An object whose keys the format determines.
  case object(JSONForm)

  /// A value of one of these shapes.
  case either([JSONShape])

  /// The shape that the document's ``JSONFormat`` defines under a name.
  case shared(String)

  /// Returns the shape of a value that may be missing, which is then `null`.
  package static func orNull(_ shape: JSONShape) -> JSONShape { .either([.null, shape]) }
}

/// The keys of an object in a JSON document, and what they mean.
package struct JSONForm: Hashable, Sendable {
  /// A key, and the values that it may have.
  package struct Member: Hashable, Sendable {
    /// The key.
    package let key: String

    /// What the values may be.
    package let shape: JSONShape

    /// What the key means: a sentence for people who write such a document.
    package let meaning: String

    /// Whether the key must be there.
    package let isRequired: Bool

    /// Returns a key that must be there.
    package static func required(_ key: String, _ shape: JSONShape, _ meaning: String) -> Self {
      Self(key: key, shape: shape, meaning: meaning, isRequired: true)
    }

    /// Returns a key that may be omitted.
    package static func optional(_ key: String, _ shape: JSONShape, _ meaning: String) -> Self {
      Self(key: key, shape: shape, meaning: meaning, isRequired: false)
    }
  }

  /// A rule about which keys occur together.
  package enum Rule: Hashable, Sendable {
    /// Exactly one of these keys is there.
    case exactlyOne(of: [String])

    /// At least one of these keys is there.
    case atLeastOne(of: [String])

    /// The first key is there only if the second one is.
    case needs(String, String)

    /// At most one of the two keys is there.
    case excludes(String, String)
  }

  /// What the object is: a sentence for people who write such a document.
  package let meaning: String

  /// The keys, in the order in which documents usually have them.
  package let members: [Member]

  /// The rules about keys that occur together; the reader's own code refuses what breaks them.
  package let rules: [Rule]

  /// The keys alone.
  package let keys: [String]

  /// Creates a form.
  package init(_ meaning: String, _ members: [Member], rules: [Rule] = []) {
    self.meaning = meaning
    self.members = members
    self.rules = rules
    keys = members.map(\.key)
  }
}

/// A format of JSON documents: the shape of the whole, and the shapes that it names.
package struct JSONFormat: Sendable {
  /// What documents of the format are, in a few words.
  package let title: String

  /// The version of the format.
  package let version: Int64

  /// The object that a document is.
  package let form: JSONForm

  /// The shapes that ``JSONShape/shared(_:)`` refers to, by name.
  package let shared: [String: JSONShape]

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - title: What documents of the format are, in a few words.
  ///   - version: The version, which documents state as `format_version`.
  ///   - form: The object that a document is, without `format_version` and `$schema`.
  ///   - isWrittenByHand: Whether documents may name their JSON Schema, for editors.
  ///   - shared: The shapes that others refer to, by name.
  package init(
    _ title: String, version: Int64, _ form: JSONForm, isWrittenByHand: Bool = true,
    shared: [String: JSONShape] = [:]
  ) {
    self.title = title
    self.version = version
    let version = JSONForm.Member.required(
      "format_version", .constant(version), "The version of the format.")
    let schema = JSONForm.Member.optional(
      "$schema", .string(), "The JSON Schema of this file, for editors.")
    self.form = JSONForm(
      form.meaning, (isWrittenByHand ? [schema, version] : [version]) + form.members,
      rules: form.rules)
    self.shared = shared
  }
}
