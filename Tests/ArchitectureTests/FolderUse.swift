/// A file that uses what another of its target declares.
struct FolderUse: Equatable {
  let user: SourceFile
  let owner: SourceFile
  let names: [String]

  static func == (left: Self, right: Self) -> Bool {
    (left.user.path, left.owner.path, left.names) == (
      right.user.path, right.owner.path, right.names
    )
  }
}

/// The names by which files of other folders are used.
///
/// They are those of types, functions and variables at top level, and of members of extensions. A name counts
/// if everything with that name lies in one folder: a type among the types of its target, anything else in
/// the package. So a name that is used elsewhere can't mean anything else, unless the standard library has
/// it, too.
struct FolderNames {
  private var owners: [String: [Int]] = [:]
  private let files: [SourceFile]

  /// Members that have namesakes in the standard library or Foundation.
  private static let common: Set = [
    "count", "first", "last", "isEmpty", "description", "hash", "next", "append", "contains",
    "index", "indices", "map", "filter", "sorted", "joined", "removeAll", "remove", "insert",
    "prefix", "suffix", "split", "starts", "hasPrefix", "hasSuffix", "range", "min", "max", "sum",
    "keys", "values", "key", "value", "path", "name", "text", "bytes", "utf8", "replacing", "self",
    "read", "write", "close", "run", "print", "debugDescription", "message", "exists", "union",
  ]

  init(_ sources: [SourceFile]) {
    files = sources
    var folders: [String: Set<String>] = [:]
    for file in sources {
      for declaration in file.outline.declarations where declaration.keyword != "extension" {
        folders[Self.key(declaration, in: file), default: []].insert(
          file.target + "/" + file.folder)
      }
    }
    for (number, file) in sources.enumerated() {
      for declaration in file.outline.declarations
      where declaration.isVisibleElsewhere && !Self.common.contains(declaration.name)
        && folders[Self.key(declaration, in: file)]?.count == 1
      {
        owners[declaration.name, default: []].append(number)
      }
    }
  }

  /// What a name is compared by: types of other targets need their own names or a path.
  private static func key(_ declaration: Declaration, in file: SourceFile) -> String {
    declaration.isType ? file.target + "." + declaration.name : declaration.name
  }

  /// The names in a file that files of other folders of its target declare.
  func uses(in file: SourceFile) -> [FolderUse] {
    var names: [Int: Set<String>] = [:]
    for (place, token) in file.tokens.enumerated() where token.kind != .string {
      guard let numbers = owners[token.text], !isLabel(place, in: file.tokens) else { continue }
      for number in numbers
      where files[number].target == file.target && files[number].folder != file.folder {
        names[number, default: []].insert(token.text)
      }
    }
    return names.sorted { $0.key < $1.key }
      .map { FolderUse(user: file, owner: files[$0.key], names: $0.value.sorted()) }
  }

  /// Whether a token is an argument's label; a type before a colon is the key of a dictionary.
  private func isLabel(_ place: Int, in tokens: [SwiftToken]) -> Bool {
    guard place + 1 < tokens.count, tokens[place + 1].is(":"), tokens[place + 1].isAdjacent else {
      return false
    }
    return tokens[place].text.first?.isUppercase == false
  }
}

extension Declaration {
  /// Whether a file that doesn't name the type around it can use it.
  fileprivate var isVisibleElsewhere: Bool {
    switch scope {
    case .file: keyword != "parameter" && keyword != "extension"
    case .type(_, let isExtension): isExtension && keyword != "parameter" && keyword != "extension"
    case .block: false
    }
  }
}
