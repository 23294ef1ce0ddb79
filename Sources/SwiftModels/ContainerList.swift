import SourceDeclarations

/// The classes of which a call makes a schema or container, such as `ModelContainer(for:)`.
struct ContainerList {
  let classes: [SourceType.Index]

  /// The called function: `Schema`, `ModelContainer` or `modelContainer`.
  let call: String

  let place: SwiftPlace

  /// The `version:` of a `Schema`; `nil` if it is missing or isn't a literal.
  let identifier: String?
}

extension TypeTable {
  /// Returns the lists of classes in calls; `nil` for one with a class that isn't known.
  ///
  /// Containers in memory, as previews and tests have them, don't count.
  func containerLists(in files: [SwiftFile]) -> [ContainerList?] {
    files.flatMap { file in
      file.calls.compactMap { call -> ContainerList?? in
        let listed = call.listed.filter { $0.kind == .type }
        guard !listed.isEmpty, !call.isInMemory else { return nil }
        var classes: [SourceType.Index] = []
        for element in call.listed {
          guard let type = element.type,
            case .model(let index) = resolve(type, from: nil, file: file.path)
          else { return .some(nil) }
          classes.append(index)
        }
        return ContainerList(
          classes: classes, call: call.name,
          place: SwiftPlace(file: file.path, position: call.position),
          identifier: call.arguments["version"]?.versionIdentifier)
      }
    }
  }
}

extension SwiftAttribute {
  /// The elements of the list of classes in a call.
  fileprivate var listed: [SwiftExpression] {
    let values: [SwiftExpression]
    switch name {
    case "Schema": values = arguments.first.map { $0.label == nil ? [$0.value] : [] } ?? []
    case "ModelContainer", "modelContainer":
      let list = arguments.drop { $0.label != "for" }
      values = (list.prefix(1) + list.dropFirst().prefix { $0.label == nil }).map(\.value)
    default: values = []
    }
    return values.flatMap { $0.kind == .array ? $0.arguments.map(\.value) : [$0] }
  }

  fileprivate var isInMemory: Bool {
    let configurations = arguments["configurations"].map { [$0] } ?? []
    return arguments["inMemory"]?.text == "true"
      || configurations.contains { $0.arguments["isStoredInMemoryOnly"]?.text == "true" }
  }
}
