import Migrations
import StoreModel

/// A value for a row of the bridge.
private struct RowValue {
  let text: String

  /// Whether the expression may be `nil`.
  let isOptional: Bool
}

extension StageDraft {
  mutating func convert(_ conversion: Conversion) {
    let entity = conversion.entity
    guard carries(entity) else { return }
    guard conversion.inputs.count == 1, conversion.outputs.count == 1,
      let input = source.attribute(conversion.inputs[0], of: entity),
      let output = target.attribute(conversion.outputs[0], of: entity),
      let value = value(of: conversion.converter, input, output, of: entity)
    else {
      let inputs = conversion.inputPaths.map(\.description).joined(separator: " and ")
      return sentences.append(
        "The values of \(inputs) are dropped: the conversion '\(conversion.converter.name)' isn't "
          + "written in Swift.")
    }
    if source[entity]?[output.name] != nil {
      let path = PropertyPath(entity: entity, property: output.name)
      temporaryNames[path] = "converted" + SwiftIdentifier.capitalized(output.name)
    }
    assign(value, to: output, of: entity)
  }

  mutating func backfill(
    _ path: PropertyPath, _ origin: BackfillSource, _ condition: BackfillCondition?
  ) {
    guard carries(path.entity) else { return }
    let attribute = target.attribute(path.property, of: path.entity)
    if let attribute, case .value(let value) = origin, condition == .null, !attribute.isOptional {
      // Core Data gives the default to rows without a value.
      annotated = annotated.editing(path.entity, path.property) { $0.defaultValue = value }
    } else if let attribute, case .option = origin {
      sentences.append(
        "Set \(path) here: it is an option of 'apply' ('--user-id'), and only the app knows it.")
      provide(attribute, of: path.entity)
    } else if let attribute, let test = test(condition, attribute),
      let value = value(of: origin, for: attribute, in: path.entity)
    {
      assign(value, to: attribute, of: path.entity, where: test)
    } else {
      sentences.append("\(path) isn't set in existing rows.")
    }
  }

  /// Returns the converted value; `nil` if Swift can't convert it here.
  private mutating func value(
    of converter: Converter, _ input: Attribute, _ output: Attribute, of entity: String
  ) -> RowValue? {
    if converter == .rawValue {
      let isEnum =
        input.type == .composite && CompositeKind(input) == .rawEnum
        && input.elements[0].type == output.type
      // The element of an enum has the property's name, so the property can't have another.
      let isKept = isEnum && target[entity]?[input.name] == nil
      guard isKept || input.type == .string && output.type == .string else { return nil }
      let name = keep(input, of: entity)
      let rawValue = isEnum ? (input.isOptional ? "?.rawValue" : ".rawValue") : ""
      return RowValue(text: "row.\(name)\(rawValue)", isOptional: input.isOptional)
    }
    guard let function = ConversionFunction(converter, from: input.type) else { return nil }
    functions.insert(function)
    let name = keep(input, of: entity)
    return RowValue(text: "\(function.name)(row.\(name))", isOptional: true)
  }

  private mutating func value(
    of origin: BackfillSource, for attribute: Attribute, in entity: String
  ) -> RowValue? {
    switch origin {
    case .attribute(let name, let converter):
      guard let input = source.attribute(name, of: entity) else { return nil }
      if let converter { return value(of: converter, input, attribute, of: entity) }
      guard input.type == attribute.type, input.type != .composite else { return nil }
      return RowValue(text: "row.\(keep(input, of: entity))", isOptional: input.isOptional)
    case .matching, .option: return nil
    case .value(let value):
      return DefaultLiteral(names: names).expression(value, of: attribute.type).map {
        RowValue(text: $0, isOptional: false)
      }
    }
  }

  /// Adds a statement that gives a property a value, if there is one.
  private mutating func assign(
    _ value: RowValue, to attribute: Attribute, of entity: String, where condition: String? = nil
  ) {
    let path = PropertyPath(entity: entity, property: attribute.name)
    let name = SwiftIdentifier.spelled(temporaryNames[path] ?? attribute.name)
    let statement =
      attribute.isOptional || !value.isOptional
      ? "row.\(name) = \(value.text)" : "if let value = \(value.text) { row.\(name) = value }"
    let isAlways = condition?.isEmpty ?? true
    statements[entity, default: []].append(
      isAlways ? statement : "if \(condition ?? "") { \(statement) }")
    provide(attribute, of: entity)
  }

  /// Gives a new mandatory property a default, which rows have until they get their own value.
  private mutating func provide(_ attribute: Attribute, of entity: String) {
    filled[entity, default: []].insert(attribute.name)
    guard !attribute.isOptional, attribute.defaultValue == nil else { return }
    annotated = annotated.editing(entity, attribute.name) {
      $0.defaultValue = $0.provisionalValue
    }
  }

  /// Returns the name in the bridge of a property of the source, as source spells it.
  private mutating func keep(_ attribute: Attribute, of entity: String) -> String {
    let inTarget = target.attribute(attribute.name, of: entity)
    if inTarget?.type == attribute.type { return SwiftIdentifier.spelled(attribute.name) }
    var copy = attribute
    if target[entity]?[attribute.name] != nil {
      copy = attribute.named("former" + SwiftIdentifier.capitalized(attribute.name))
      copy.renamingIdentifier = attribute.name
    }
    kept[entity, default: [:]][copy.name] = copy
    return SwiftIdentifier.spelled(copy.name)
  }

  /// Returns the condition for a row; empty without one, `nil` if it can't be written.
  private func test(_ condition: BackfillCondition?, _ attribute: Attribute) -> String? {
    let name = "row.\(SwiftIdentifier.spelled(attribute.name))"
    return switch condition {
    case nil: ""
    case .null: attribute.isOptional ? "\(name) == nil" : nil
    case .zero: attribute.isOptional ? "(\(name) ?? 0) == 0" : "\(name) == 0"
    case .empty: attribute.isOptional ? "\(name)?.isEmpty ?? true" : "\(name).isEmpty"
    case .placeholder: nil
    }
  }
}
