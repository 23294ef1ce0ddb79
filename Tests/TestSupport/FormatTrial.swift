package import JSONText
package import ReportFormats

/// A comparison of a format's reader with its JSON Schema, about documents that are changed at random.
///
/// What the schema refuses, the reader must refuse. What the reader refuses for its shape, the schema
/// must refuse.
package struct FormatTrial {
  /// The number of documents that both admit.
  package private(set) var admitted = 0

  /// The number of documents that both refuse.
  package private(set) var refused = 0

  /// The number of documents that the reader refuses for a reason that a schema can't state.
  package private(set) var beyond = 0

  /// The documents about which they disagree, with the reason.
  package private(set) var disagreements: [String] = []

  private let check: JSONSchemaCheck
  private let sentences: [String]
  private var mutate: JSONMutation

  /// Creates a comparison, and prints the seed of its changes.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - name: Its name.
  ///   - sentences: Parts of the messages that are about what a schema can't state.
  /// - Throws: A ``JSONError`` if the schema's text is wrong.
  package init(_ format: JSONFormat, named name: String, beyond sentences: [String]) throws {
    check = try JSONSchemaCheck(format.schema.text())
    self.sentences = sentences
    mutate = JSONMutation(
      seed: printedSeed("changed \(name) files"), keys: format.allKeys,
      values: format.allNames.map { .string($0) })
  }

  /// Changes documents and reads each.
  package mutating func run(
    _ count: Int, on texts: [String], reader: ([UInt8]) throws(JSONError) -> Void
  ) throws {
    let documents = try texts.map { JSONValue(try JSONNode(parsing: $0)) }
    for run in 0..<count {
      var document = documents[run % documents.count]
      for _ in 0...(run % 3) { document = mutate(document) }
      let text = document.text()
      // Keys that occur twice are no matter of a schema.
      guard let node = try? JSONNode(parsing: text) else { continue }
      let violations = try check.violations(in: node)
      do throws(JSONError) {
        try reader(Array(text.utf8))
        admitted += 1
        if !violations.isEmpty {
          disagreements.append("the reader admits, for all \(violations.prefix(3)): \(text)")
        }
      } catch {
        if !violations.isEmpty {
          refused += 1
        } else if isBeyond(error) {
          beyond += 1
        } else {
          disagreements.append("the schema admits, for all '\(error)': \(text)")
        }
      }
    }
  }

  private func isBeyond(_ error: JSONError) -> Bool {
    switch error.reason {
    case .numberOutOfRange: true
    case .unknownName: sentences.contains("unknown name")
    case .wrongType(_, let found): found == "one with a decimal point or an exponent"
    case .rejected(let sentence): sentences.contains { sentence.contains($0) }
    default: false
    }
  }
}

extension FormatTrial: CustomStringConvertible {
  package var description: String { "\(admitted) admitted, \(refused) refused, \(beyond) beyond" }
}

extension JSONFormat {
  /// All keys that the format determines.
  package var allKeys: [String] { Set(forms.flatMap(\.keys)).sorted() }

  /// All names that the format determines.
  package var allNames: [String] {
    Set(forms.flatMap { $0.members.flatMap { $0.shape.names } }).sorted()
  }

  private var forms: [JSONForm] {
    JSONShape.object(form).forms + shared.values.flatMap(\.forms)
  }
}

extension ReportFormat {
  /// All keys of the objects in the format, without the names in objects that count by name.
  package var keys: [String] {
    let all = (forms.map { JSONShape.object($0) } + shared.values).flatMap(\.forms)
    let objects = all.filter { form in
      !form.members.allSatisfy { !$0.isRequired && $0.shape == .count }
    }
    return Set(objects.flatMap(\.keys)).sorted()
  }
}

extension JSONShape {
  fileprivate var forms: [JSONForm] {
    switch self {
    case .object(let form): [form] + form.members.flatMap { $0.shape.forms }
    case .array(let shape, _), .dictionary(let shape, _): shape.forms
    case .either(let shapes): shapes.flatMap(\.forms)
    default: []
    }
  }

  fileprivate var names: [String] {
    switch self {
    case .name(let names): names
    case .either(let shapes): shapes.flatMap(\.names)
    default: []
    }
  }
}
