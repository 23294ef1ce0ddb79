import SourceDeclarations
import StoreModel

/// A class with `@Model`, as far as it alone determines its entity.
struct ModelClass {
  let type: SourceType
  let index: SourceType.Index
  private(set) var attributes: [Attribute] = []
  private(set) var links: [ModelLink] = []
  private(set) var uniquenessConstraints: [[String]] = []
  var indexes: [FetchIndex] = []
  private(set) var findings: [SourceFinding] = []

  /// The places of the properties, by name.
  private(set) var places: [String: SwiftPlace] = [:]

  /// The properties whose default value isn't a literal.
  private(set) var computedDefaults: Set<String> = []

  /// The nearest class with `@Model` that this one inherits from.
  let superclass: SourceType.Index?

  let table: TypeTable

  init(_ index: SourceType.Index, in table: TypeTable) {
    type = table.types[index]
    self.index = index
    self.table = table
    superclass = table.modelSuperclass(of: index)
    checkClass()
    for property in type.members where property.kind == .stored && !property.isOfType {
      read(property)
    }
    for macro in type.members where macro.kind == .macro { read(macro: macro) }
    if !computedDefaults.isEmpty {
      let names = computedDefaults.sorted().map { "'\($0)'" }.joined(separator: ", ")
      note(
        .note, .computedDefault, type.declaration.position, nil,
        "default values that aren't literals aren't read: \(names)")
    }
  }

  mutating func note(
    _ severity: SourceFinding.Severity, _ rule: SourceRule, _ position: SwiftPosition,
    _ property: String?, _ message: String
  ) {
    findings.append(
      SourceFinding(
        severity, rule, at: type.place(of: position),
        property.map { "\(type.name).\($0)" } ?? type.name, message))
  }

  /// The attributes that change nothing about a model.
  static let harmless: Set<String> = [
    "Model", "available", "objc", "objcMembers", "MainActor", "unchecked", "preconcurrency",
    "nonobjc", "usableFromInline", "dynamicMemberLookup", "Sendable", "discardableResult",
    "Attribute", "Relationship", "Transient", "inlinable", "frozen", "globalActor", "_spi",
    "Observable",
  ]

  private mutating func checkClass() {
    if !type.declaration.generics.isEmpty {
      note(
        .error, .unknownType, type.declaration.position, nil,
        "how SwiftData stores the generic class '\(type.name)' isn't known")
    }
    findings += type.clauses.map { $0.finding(in: type) }
    checkMacros(of: type.declaration, nil)
    checkSuperclass()
    if superclass != nil {
      note(
        .unproven, .unproven, type.declaration.position, nil,
        "no real store has confirmed how SwiftData stores class inheritance")
    }
  }

  /// Reports macros and property wrappers that could change the model.
  private mutating func checkMacros(of declaration: SwiftDeclaration, _ property: String?) {
    for attribute in declaration.attributes {
      let name = attribute.name.split(separator: ".").last.map(String.init) ?? ""
      if Self.harmless.contains(name) { continue }
      note(
        .error, .unknownMacro, attribute.position, property,
        "what the macro or property wrapper '@\(attribute.name)' makes of "
          + "'\(property ?? type.name)' isn't known")
    }
  }
}

// MARK: - Properties

extension ModelClass {
  private mutating func read(_ property: SwiftDeclaration) {
    let macros = property.attributes.map { $0.name.split(separator: ".").last.map(String.init) }
    if macros.contains("Transient") || property.modifiers.contains("lazy") { return }
    places[property.name] = type.place(of: property.position)
    checkMacros(of: property, property.name)
    guard let written = table.type(of: property, in: index, file: type.file) else {
      note(
        .error, .unknownType, property.position, property.name,
        "the type of '\(property.name)' can't be told from its initial value; write it down")
      return
    }
    let resolved = table.resolve(written, from: index, file: type.file)
    let (unwrapped, isOptional) = resolved.unwrapped
    if case .optional(.optional) = resolved {
      note(
        .unproven, .unproven, property.position, property.name,
        "no real store has confirmed how SwiftData stores an optional of an optional")
    }
    findings += table.decisions(about: written, from: index, file: type.file)
    switch unwrapped {
    case .model(let destination):
      addLink(property, destination, isOptional: isOptional, isToMany: false)
    case .array(let element, _):
      if case .model(let destination) = element {
        addLink(property, destination, isOptional: isOptional, isToMany: true)
      } else {
        addAttribute(property, unwrapped, written, isOptional: isOptional)
      }
    case .optional, .collection, .sdk, .value, .unknown:
      addAttribute(property, unwrapped, written, isOptional: isOptional)
    }
  }

  func options(_ property: SwiftDeclaration, _ macro: String) -> SwiftAttribute? {
    property.attributes.first { $0.name == macro || $0.name.hasSuffix("." + macro) }
  }

  private mutating func addAttribute(
    _ property: SwiftDeclaration, _ resolved: ResolvedType, _ written: SwiftType, isOptional: Bool
  ) {
    let options = PropertyOptions(options(property, "Attribute"))
    var form: AttributeForm
    do throws(UnknownForm) {
      form =
        try options.isTransformable
        ? AttributeForm(
          options, of: property.name, table.written(written, from: index, file: type.file))
        : table.form(of: resolved, named: property.name)
    } catch {
      note(.error, error.rule, property.position, property.name, error.message)
      return
    }
    if options.names.contains("ephemeral") { form.unproven = [] }
    for unproven in form.unproven {
      note(
        .unproven, .unproven, property.position, property.name,
        "no real store has confirmed \(unproven)")
    }
    check(options, of: property)
    checkMisplaced("Relationship", of: property)
    var value: ModelValue?
    if let written = property.value, !(isOptional ? written.isNil : written.kind == .nil) {
      value = table.defaultValue(
        written, of: form, named: property.name, type: resolved, in: index)
      if value == nil { computedDefaults.insert(property.name) }
    }
    attributes.append(
      Attribute(
        name: property.name, type: form.type, isOptional: isOptional,
        isTransient: options.names.contains("ephemeral"), defaultValue: value,
        valueClassName: form.valueClassName, valueTransformerName: form.transformer,
        allowsExternalStorage: options.names.contains("externalStorage"),
        isPreservedAfterDeletion: options.names.contains("preserveValueOnDeletion"),
        elements: form.elements, renamingIdentifier: options.string("originalName"),
        versionHashModifier: options.string("hashModifier"), userInfo: form.userInfo))
    if options.names.contains("unique") { addConstraint([property.name]) }
  }

  mutating func addConstraint(_ names: [String]) {
    if !uniquenessConstraints.contains(names) { uniquenessConstraints.append(names) }
  }

  private static let deleteRules: [String: Relationship.DeleteRule] = [
    "noAction": .noAction, "nullify": .nullify, "cascade": .cascade, "deny": .deny,
  ]

  private mutating func deleteRule(
    _ options: PropertyOptions, of property: SwiftDeclaration
  ) -> Relationship.DeleteRule {
    guard let written = options.arguments["deleteRule"] else { return .nullify }
    let name = written.text.split(separator: ".").last.map(String.init) ?? ""
    if let known = Self.deleteRules[name] { return known }
    note(
      .note, .unknownValue, property.position, property.name,
      "the delete rule '\(written.text)' of '\(property.name)' isn't known; it is read as "
        + "'.nullify'")
    return .nullify
  }

  private mutating func addLink(
    _ property: SwiftDeclaration, _ destination: SourceType.Index, isOptional: Bool, isToMany: Bool
  ) {
    let macro = options(property, "Relationship")
    let options = PropertyOptions(macro)
    check(options, of: property)
    checkMisplaced("Attribute", of: property)
    let rule = deleteRule(options, of: property)
    let inverse = options.arguments["inverse"]
    if let inverse, inverse.kind != .keyPath && inverse.kind != .nil {
      note(
        .error, .unknownValue, property.position, property.name,
        "the inverse of '\(property.name)' isn't a key path")
    }
    checkRoot(of: inverse, of: property, destination)
    links.append(
      ModelLink(
        relationship: Relationship(
          name: property.name, destinationName: table.types[destination].name,
          maxCount: isToMany ? options.integer("maximumModelCount") ?? 0 : 1,
          minCount: options.integer("minimumModelCount") ?? 0, deleteRule: rule,
          isOptional: isOptional, renamingIdentifier: options.string("originalName"),
          versionHashModifier: options.string("hashModifier")),
        destination: destination, hasMacro: macro != nil,
        inverse: inverse.flatMap {
          $0.kind == .keyPath
            ? table.properties(of: $0, from: index, file: type.file).joined(separator: ".") : nil
        },
        place: type.place(of: property.position)))
    if options.names.contains("unique") { addConstraint(property, isToMany: isToMany) }
  }

  /// Reports options that aren't known, and arguments that aren't literals.
  private mutating func check(_ options: PropertyOptions, of property: SwiftDeclaration) {
    if let unknown = options.unknown {
      note(
        .error, .unknownMacro, property.position, property.name,
        "the option '\(unknown)' of '\(property.name)' isn't known")
    }
    for label in ["hashModifier", "minimumModelCount", "maximumModelCount", "originalName"] {
      guard let value = options.arguments[label], value.kind != .nil, value.kind != .string,
        value.kind != .integer
      else { continue }
      note(
        label == "originalName" ? .note : .error, .unknownValue, property.position, property.name,
        "the '\(label)' of '\(property.name)' isn't a literal, so it isn't known")
    }
  }
}
