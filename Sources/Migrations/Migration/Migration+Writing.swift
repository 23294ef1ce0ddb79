import StoreModel
package import JSONText

extension Migration {
  /// Returns the text of the migration's file, one step per line.
  ///
  /// Parsing it gives the same migration, apart from the checksum.
  ///
  /// - Parameter questions: The open questions. Each becomes a step with the verb `decide`, which
  ///   can't be parsed: the error has its position.
  /// - Returns: The whole text, with a line break at its end.
  package func text(questions: [OpenQuestion] = []) -> String {
    var members: [JSONValue.Member] = [
      .init("format_version", .int(Self.formatVersion)), .init("app", .string(app)),
      .init("from", .string(from)), .init("to", .string(to)),
    ]
    if let note { members.append(.init("note", .string(note))) }
    if !constants.isEmpty {
      let named = constants.sorted { $0.key < $1.key }.map {
        JSONValue.Member($0.key, $0.value.json)
      }
      members.append(.init("constants", .object(named)))
    }
    let open = questions.map { question in
      JSONValue.object([
        .init("decide", .string(question.object)), .init("because", .string(question.reason)),
      ])
    }
    let lines = members.map { "  \(JSONValue.string($0.key).text()): \($0.value.text())," }
    let steps = (steps.map(\.json) + open).map { "    " + $0.line }
    return """
      {
      \(lines.joined(separator: "\n"))
        "steps": [
      \(steps.joined(separator: ",\n"))
        ]
      }

      """
  }
}

extension Step {
  /// The step as a line of a migration file.
  package var text: String { json.line }

  /// The step as migration files spell it, with the verb first.
  package var json: JSONValue {
    switch self {
    case .addEntity(let name), .dropEntity(let name): object(.string(name))
    case .drop(let path): object(.string(path.description))
    case .renameEntity(let name, let newName): object(.string(name), ("to", .string(newName)))
    case .rename(let path, let newName):
      object(.string(path.description), ("to", .string(newName)))
    case .add(let path, let value): object(.string(path.description), ("default", value?.json))
    case .convert(let conversion):
      object(
        conversion.inputs.count == 1
          ? .string(conversion.object)
          : .array(conversion.inputPaths.map { .string($0.description) }),
        ("to", conversion.outputs == conversion.inputs ? nil : .names(conversion.outputs)),
        ("with", .string(conversion.converter.name)))
    case .merge(let paths, let path):
      object(
        .array(paths.map { .string($0.description) }), ("to", .string(path.description)))
    case .split(let path, let paths):
      object(
        .string(path.description), ("to", .array(paths.map { .string($0.description) })))
    case .newUUID, .require, .map, .retype, .compute: computing
    case .deleteRows, .unite, .sequence, .relink, .splitEntity, .inline: ofRows
    case .backfill(let path, let source, let condition):
      object(
        .string(path.description), ("where", condition.map { .string($0.rawValue) }),
        source.json.0, source.json.1)
    }
  }

  /// A step that computes values, or that checks them.
  private var computing: JSONValue {
    switch self {
    case .require(let name, let formula, let reason):
      object(.string(name), ("sql", .string(formula.text)), ("because", .string(reason)))
    case .map(let path, let map):
      object(
        .string(path.description),
        ("values", .object(map.pairs.map { .init($0.key, $0.value.json) })),
        ("else", map.otherwise.json))
    case .retype(let path, let change):
      object(
        .string(path.description), ("format", change.format.map { .string($0) }),
        ("else", change.otherwise?.json))
    case .compute(let path, let formula, let inverse):
      object(
        .string(path.description), ("sql", .string(formula.text)),
        ("inverse", inverse.isEmpty ? nil : .formulas(inverse)))
    default: object(.string(object))
    }
  }

  /// A step that concerns rows as a whole.
  private var ofRows: JSONValue {
    switch self {
    case .deleteRows(let deletion):
      object(
        .string(deletion.entity), ("where", .string(deletion.condition.text)),
        ("because", .string(deletion.reason)))
    case .unite(let union):
      object(
        .string(union.entity), ("by", .array(union.by.map { .string($0.text) })),
        ("keep", .string(union.keep.text)),
        ("compare", union.comparison == .exact ? nil : .string(union.comparison.rawValue)),
        ("links", union.links == .merge ? nil : .string(union.links.rawValue)))
    case .sequence(let path, let numbering):
      object(
        .string(path.description), ("by", .array(numbering.by.map { .string($0.text) })),
        ("from", numbering.start == 0 ? nil : .int(numbering.start)),
        ("within", numbering.within.map { .string($0.text) }))
    case .splitEntity(let split):
      object(
        .string(split.entity), ("into", .string(split.part)),
        ("attributes", split.attributes.json), ("link", .string(split.link)),
        ("per", .string(split.per.rawValue)))
    case .inline(let inline):
      object(.string(inline.path.description), ("attributes", inline.attributes.json))
    case .relink(let path, let keep):
      object(.string(path.description), ("keep", keep.map { .string($0.text) }))
    default: object(.string(object))
    }
  }

  private func object(_ target: JSONValue, _ others: (String, JSONValue?)...) -> JSONValue {
    .object(
      [.init(verb, target)]
        + others.compactMap { key, value in value.map { JSONValue.Member(key, $0) } })
  }
}

extension ValueMap.Otherwise {
  fileprivate var json: JSONValue {
    switch self {
    case .refuse: .string("refuse")
    case .keep: .string("keep")
    case .value(let value): value.json
    }
  }
}

extension BackfillSource {
  fileprivate var json: ((String, JSONValue?), (String, JSONValue?)) {
    switch self {
    case .attribute(let name, let converter):
      (("from", .string(name)), ("with", converter.map { .string($0.name) }))
    case .matching(let attribute, let name):
      (("from", .string(name)), ("matching", .string(attribute)))
    case .option(let option): (("option", .string(option.rawValue)), ("with", nil))
    case .value(let value): (("value", value.json), ("with", nil))
    }
  }
}

extension JSONValue {
  fileprivate var line: String { text(.pretty(inlineWidth: 10_000)) }

  fileprivate static func formulas(_ formulas: [String: Formula]) -> JSONValue {
    .object(formulas.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value.text)) })
  }

  fileprivate static func names(_ names: [String]) -> JSONValue {
    names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })
  }
}
