import SourceDeclarations
import StoreModel

/// The options of a property's macros `@Attribute` and `@Relationship`.
struct PropertyOptions {
  /// The options without a label, such as `unique` or `externalStorage`.
  private(set) var names: Set<String> = []

  /// Whether a value transformer makes data of the values.
  private(set) var isTransformable = false

  /// The name of the transformer, or `nil` if it isn't a literal.
  private(set) var transformer: String?

  /// The arguments with a label.
  private(set) var arguments: [SwiftArgument] = []

  /// The option that isn't known, or `nil`.
  private(set) var unknown: String?

  private static let known: Set<String> = [
    "unique", "externalStorage", "preserveValueOnDeletion", "allowsCloudEncryption", "ephemeral",
    "spotlight",
  ]

  init(_ attribute: SwiftAttribute?) {
    guard let attribute else { return }
    arguments = attribute.arguments.filter { $0.label != nil }
    for option in attribute.arguments.unlabelled {
      let name = option.text.split(separator: ".").last.map(String.init) ?? option.text
      if option.kind == .name, Self.known.contains(name) {
        names.insert(name)
      } else if option.kind == .call, name == "transformable", let value = option.arguments["by"] {
        isTransformable = true
        transformer = value.kind == .string || value.kind == .type ? value.text : nil
      } else {
        unknown = unknown ?? option.text
      }
    }
  }

  /// Returns a string argument, or `nil` if it is missing or not a literal.
  func string(_ label: String) -> String? {
    arguments[label].flatMap { $0.kind == .string ? $0.text : nil }
  }

  /// Returns an integer argument, or `nil` if it is missing or not a literal.
  func integer(_ label: String) -> Int? {
    arguments[label].flatMap { $0.kind == .integer ? Int($0.text) : nil }
  }
}

/// What SwiftData makes of a type: an attribute without its name and options.
struct AttributeForm {
  var type: AttributeType
  var valueClassName: String?
  var transformer: String?
  var elements: [Attribute] = []
  var userInfo: [String: ModelValue] = [:]

  /// What no real store has confirmed.
  var unproven: [String] = []
}

extension AttributeForm {
  /// Creates the form of an attribute with the option `.transformable`.
  init(_ options: PropertyOptions, of name: String, _ type: SwiftType) {
    self.init(
      type: .transformable, valueClassName: type.unwrappedText, transformer: options.transformer,
      unproven: options.transformer == nil ? ["the transformer of '\(name)'"] : [])
  }
}

/// Why the form of an attribute isn't known.
struct UnknownForm: Error {
  let rule: SourceRule
  let message: String
}

extension TypeTable {
  /// Returns what SwiftData makes of a type without its optionality.
  func form(of type: ResolvedType, named name: String) throws(UnknownForm) -> AttributeForm {
    switch type {
    case .unknown(let rule, let message): throw UnknownForm(rule: rule, message: message)
    case .sdk(.scalar(let type)):
      let unproven = SDKType.isConfirmed(type) ? [] : ["the type of '\(name)'"]
      return AttributeForm(type: type, unproven: unproven)
    case .sdk(.composite(let elements)): return AttributeForm(type: .composite, elements: elements)
    case .array(let element, let text): return try array(of: element, text, named: name)
    case .value(let index):
      let found = types[index]
      return try found.declaration.kind == .enum
        ? enumeration(found, index, named: name) : structure(found, index)
    case .collection(let text):
      throw UnknownForm(
        rule: .unknownType, message: "how SwiftData stores the type '\(text)' isn't known")
    case .model, .optional:
      throw UnknownForm(rule: .unknownType, message: "'\(name)' isn't an attribute")
    }
  }

  private func array(
    of element: ResolvedType, _ text: String, named name: String
  ) throws(UnknownForm) -> AttributeForm {
    switch element.unwrapped.type {
    case .unknown(let rule, let message): throw UnknownForm(rule: rule, message: message)
    case .model:
      throw UnknownForm(
        rule: .unknownType, message: "how SwiftData stores '\(text)' with models isn't known")
    case .optional, .array, .collection, .sdk, .value: break
    }
    var form = AttributeForm(
      type: .transformable, valueClassName: text, transformer: "NSSecureUnarchiveFromData")
    if case .sdk(.scalar(.string)) = element { return form }
    form.unproven = ["how SwiftData stores '\(text)'"]
    return form
  }
}

// MARK: - Leaves

extension TypeTable {
  /// Returns the leaf of a composite attribute; values that aren't plain are stored as data.
  func leaf(
    _ name: String, _ type: SwiftType, in index: SourceType.Index
  ) throws(UnknownForm) -> Attribute {
    switch resolve(type, from: index, file: types[index].file).unwrapped.type {
    case .sdk(.scalar(let type)): return Attribute(name: name, type: type, isOptional: true)
    case .array, .collection, .value, .sdk(.composite):
      return Attribute(name: name, type: .binary, isOptional: true)
    case .unknown(let rule, let message): throw UnknownForm(rule: rule, message: message)
    case .model, .optional:
      throw UnknownForm(
        rule: .unknownType,
        message: "how SwiftData stores '\(types[index].name).\(name)' isn't known")
    }
  }

  /// Whether no real store has confirmed what a struct's property becomes.
  func isUnconfirmed(_ type: SwiftType, in index: SourceType.Index) -> Bool {
    switch resolve(type, from: index, file: types[index].file).unwrapped.type {
    case .sdk(.scalar(let type)): !SDKType.isConfirmed(type)
    case .value(let index): types[index].declaration.kind == .enum
    case .array, .unknown: false
    case .collection, .sdk(.composite), .model, .optional: true
    }
  }
}

extension SwiftDeclaration {
  /// Whether the property is one of the type, not of its values.
  var isOfType: Bool { modifiers.contains("static") || modifiers.contains("class") }
}
