package import JSONText
import Platform
import SQLite
import StoreModel

/// An app's converters, as a converter file states them.
package struct ConverterFile: Sendable {
  /// The version of the file format that this library reads.
  package static let formatVersion: Int64 = 1

  /// The end of the name of a converter file.
  package static let suffix = ".converters.json"

  /// The app.
  package let app: String

  package let converters: [FormulaConverter]

  /// Reads a converter file.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - file: The path, for errors.
  ///   - checksFormulas: Whether SQL and Swift names are checked; tests check the bundle's.
  /// - Throws: A `JSONError` with the position of the first violation of `MigrationFiles.md`.
  package init(
    parsing bytes: [UInt8], file: String?, checksFormulas: Bool = true
  ) throws(JSONError) {
    let object = try JSONNode(parsing: bytes, file: file).document(Self.format)
    app = try object.required("app").string
    _ = try object.optional("note")?.string
    var formulas: [String: (formula: NumberFormula, inverse: JSONNode)] = [:]
    var names: [String] = []
    for node in try object.required("converters").array {
      let (formula, inverse) = try Self.formula(node, isChecked: checksFormulas)
      guard formulas.updateValue((formula, inverse), forKey: formula.name) == nil else {
        throw node.error("'\(formula.name)' is in this file twice; remove one of the two")
      }
      names.append(formula.name)
    }
    var converters: [FormulaConverter] = []
    for name in names {
      guard let (forward, inverse) = formulas[name] else { continue }
      let other = try inverse.name(among: names)
      guard let (backward, back) = formulas[other], try back.string == name else {
        throw inverse.error("'\(other)' doesn't name '\(name)' as its inverse")
      }
      converters.append(FormulaConverter(forward: forward, backward: backward))
    }
    self.converters = converters
  }

  private static func formula(
    _ node: JSONNode, isChecked: Bool
  ) throws(JSONError) -> (formula: NumberFormula, inverse: JSONNode) {
    let object = try node.object(formula)
    let name = try object.required("name")
    guard !Converter.general.map(\.name).contains(try name.string) else {
      throw name.error("the tool has a converter '\(try name.string)'; use another name")
    }
    let sql = try object.required("sql")
    if isChecked { try check(sql) }
    var range = -Double.infinity...Double.infinity
    if let node = object.optional("range") {
      var limits: [Double] = []
      for limit in try node.array { limits.append(try limit.double) }
      guard limits.count == 2, limits[0] <= limits[1] else {
        throw node.error("a range is the smallest and the largest number")
      }
      range = limits[0]...limits[1]
    }
    let formula = try NumberFormula(
      name.string, sql.string, from: object.required("from").numberType,
      to: object.required("to").numberType, range: range,
      swift: object.optional("swift")?.strings ?? [])
    if isChecked, let node = object.optional("swift"),
      !formula.swift.joined().contains("func \(formula.swiftName)(")
    {
      throw node.error("the Swift function isn't called '\(formula.swiftName)'")
    }
    return (formula, try object.required("inverse"))
  }

  private static func check(_ sql: JSONNode) throws(JSONError) {
    let text = try sql.string
    do throws(ScalarExpression.Mistake) {
      _ = try ScalarExpression(
        text, over: [NumberFormula.parameter], functions: FormulaFunctions.all)
    } catch {
      throw sql.error("the formula can't be used: \(error.reason)")
    }
  }
}

extension JSONNode {
  /// The type of numbers that the string names.
  fileprivate var numberType: AttributeType {
    get throws(JSONError) {
      let types = NumberFormula.types
      let name = try name(among: types.map(\.name))
      return types.first { $0.name == name } ?? .double
    }
  }
}

/// The converters that steps may name.
package struct ConverterNames: Sendable {
  private let given: [ConverterFile]
  private let hasBundled: Bool

  private init(_ files: [ConverterFile], hasBundled: Bool) {
    (given, self.hasBundled) = (files, hasBundled)
  }

  package init(_ files: [ConverterFile] = []) { self.init(files, hasBundled: false) }

  /// The converters of the embedded files.
  package static let bundled = ConverterNames([], hasBundled: true)

  /// The embedded files, parsed when a name is looked up that isn't general.
  private static let bundledFiles = EmbeddedFile.all
    .filter { $0.path.hasSuffix(ConverterFile.suffix) }
    .map { file in
      do throws(JSONError) {
        return try ConverterFile(parsing: file.bytes, file: file.path, checksFormulas: false)
      } catch {
        preconditionFailure("the tool was built with a wrong file: \(error)")
      }
    }

  private var files: [ConverterFile] { given + (hasBundled ? Self.bundledFiles : []) }

  /// Returns these converters with others, which come before those of the same name.
  package func adding(_ files: [ConverterFile]) -> ConverterNames {
    ConverterNames(files + given, hasBundled: hasBundled)
  }

  /// Returns the converter that a string names in a file of an app.
  ///
  /// The app's own converters come first.
  ///
  /// - Throws: A `JSONError` with the most similar name.
  func converter(_ node: JSONNode, of app: String) throws(JSONError) -> Converter {
    let name = try node.string
    if let found = converter(named: name, of: app) { return found }
    let names = Converter.general.map(\.name) + files.flatMap(\.converters).map(\.forward.name)
    throw node.error(.unknownName(name, nearest: nearestName(to: name, among: names)))
  }

  /// Returns the converter of a name; `nil` for an unknown name.
  package func converter(named name: String, of app: String) -> Converter? {
    if let general = Converter.general.first(where: { $0.name == name }) { return general }
    let files = files.filter { $0.app.isSameApp(as: app) } + files
    return files.lazy.flatMap(\.converters).first { $0.forward.name == name }
      .map { .formula($0) }
  }
}

extension String {
  /// Returns whether two names mean the same app, ignoring case.
  package func isSameApp(as other: String) -> Bool { lowercased() == other.lowercased() }
}
