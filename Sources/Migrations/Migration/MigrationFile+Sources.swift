package import JSONText
import StoreModel

/// What the steps of a migration file depend on beside their own text.
package struct MigrationFileContext: Sendable {
  /// The app.
  let app: String

  /// The converters that the steps may name.
  let names: ConverterNames

  func converter(_ node: JSONNode) throws(JSONError) -> Converter {
    try names.converter(node, of: app)
  }
}

extension BackfillSource {
  init(parsing object: JSONObject, _ context: MigrationFileContext) throws(JSONError) {
    let sources = ["from", "option", "value"].compactMap { object.optional($0) }
    guard let source = sources.first, sources.count == 1 else {
      throw object.node.error(
        "a backfill has exactly one source; give one of 'from', 'option' and 'value'")
    }
    let converter = try object.optional("with").map(context.converter)
    if object.optional("from") == nil {
      if let converter {
        throw source.error(
          "'\(converter.name)' converts an attribute; name the attribute with 'from'")
      }
      if let matching = object.optional("matching") {
        throw matching.error(
          "'matching' compares an attribute with another; name that one with 'from'")
      }
    }
    if let matching = object.optional("matching") {
      guard converter == nil else {
        throw matching.error("'matching' doesn't convert values; remove 'with'")
      }
      self = .matching(attribute: try matching.nameAlone, of: try source.nameAlone)
    } else if object.optional("from") != nil {
      guard converter.map({ $0.inputCount == 1 && $0.outputCount == 1 }) ?? true else {
        throw source.error("a backfill needs a converter from one attribute to one; use 'convert'")
      }
      self = .attribute(try source.nameAlone, converter)
    } else if object.optional("option") != nil {
      self = .option(try source.name(as: MigrationOption.self))
    } else {
      self = .value(try source.modelValue)
    }
  }
}

extension Conversion {
  init(
    _ node: JSONNode, _ object: JSONObject, _ context: MigrationFileContext
  ) throws(JSONError) {
    let paths = try node.isArray ? node.paths : [StepObject(node).attribute]
    guard let entity = paths.first?.entity, paths.allSatisfy({ $0.entity == entity }) else {
      throw node.error(
        "a conversion reads attributes of one entity only; write a step for each entity")
    }
    let converter = try context.converter(object.required("with"))
    let inputs = paths.map(\.property)
    let outputs = try object.optional("to").map { (to) throws(JSONError) in try to.names } ?? inputs
    guard inputs.count == converter.inputCount, outputs.count == converter.outputCount else {
      throw node.error(
        "'\(converter.name)' reads \(counted(converter.inputCount, "attribute", "attributes")) "
          + "and writes \(converter.outputCount); name that many")
    }
    self.init(entity: entity, inputs: inputs, outputs: outputs, converter: converter)
  }
}

extension JSONNode {
  /// The paths of attributes in an array.
  package var paths: [PropertyPath] {
    get throws(JSONError) {
      var paths: [PropertyPath] = []
      for source in try array { paths.append(try StepObject(source).attribute) }
      guard !paths.isEmpty else { throw error("the array is empty; give paths of attributes") }
      return paths
    }
  }

  /// One name, or the names in an array.
  fileprivate var names: [String] {
    get throws(JSONError) {
      guard isArray else { return [try nameAlone] }
      var names: [String] = []
      for name in try array { names.append(try name.nameAlone) }
      return names
    }
  }

  /// The name of an entity, or of a property without its entity.
  var nameAlone: String {
    get throws(JSONError) {
      let name = try string
      guard name.contains(".") else { return name }
      let last = name.split(separator: ".").last ?? "NAME"
      throw error("the entity isn't part of the name here; write '\(last)'")
    }
  }
}
