package import JSONText

extension Tool {
  /// The whole command line as JSON: commands, options, exit statuses, without what is hidden.
  ///
  /// Its keys are specified in `JSONOutput.md`.
  package var description: [JSONValue.Member] {
    let outline = outline
    return [
      .init("name", .string(outline.name)), .init("version", .string(version)),
      .init("abstract", .string(outline.abstract)),
      .init("discussion", .string(outline.discussion)),
      .init("options", JSONValue(outline.globals.filter { !$0.isHidden }) { $0.json }),
      .init("commands", JSONValue(outline.allVisible.filter { !$0.isGroup }) { $0.json }),
      .init(
        "exit_statuses",
        JSONValue(exitStatuses) {
          ["status": .int(Int64($0.code)), "meaning": .string($0.meaning)]
        }),
    ]
  }
}

extension Outline {
  fileprivate var json: JSONValue {
    [
      "command": .string(path.dropFirst().joined(separator: " ")), "abstract": .string(abstract),
      "discussion": .string(discussion), "arguments": JSONValue(arguments) { $0.json },
      "options": JSONValue(ownOptions) { $0.json },
    ]
  }
}

extension Declaration {
  fileprivate var json: JSONValue {
    [
      "names": JSONValue(names) { .string($0) },
      "value": kind == .flag ? .null : .string(valueName),
      "help": .string(help), "required": .bool(minimum > 0), "repeats": .bool(repeats),
      "default": JSONValue(defaultText), "choices": JSONValue(choices) { .string($0) },
      "minimum": range.map { .int(Int64($0.lowerBound)) } ?? .null,
      "maximum": range.map { .int(Int64($0.upperBound)) } ?? .null,
      "excludes": JSONValue(excludes) { .string($0) },
    ]
  }
}
