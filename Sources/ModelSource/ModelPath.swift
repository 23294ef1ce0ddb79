import Platform

/// The path of a model, with the version that follows a `#`.
package struct ModelPath: Hashable, Sendable {
  /// What a model is stored in.
  package enum Kind: Hashable, Sendable {
    /// A schema file of this tool.
    case schema

    /// An `.xcdatamodel`: a folder with XML, or that XML.
    case source

    /// An `.xcdatamodeld`: a folder with the source of each version.
    case sourceBundle

    /// A `.mom`: an archived model.
    case compiled

    /// A `.momd`: a folder with the compiled model of each version.
    case compiledBundle

    /// An `.omo`, whose format isn't known.
    case optimized
  }

  /// The path as typed, with the version.
  package let text: String

  /// The path of the file or folder, without a slash at its end.
  let path: String

  /// The version as typed; `nil` for the current one.
  let version: String?

  /// What the model is stored in.
  package let kind: Kind

  /// Creates the path of a model; `nil` if the text doesn't name one.
  ///
  /// The name's ending decides; a file with another ending is recognised by its first bytes.
  package init?(_ text: String) {
    self.text = text
    let parts = Self.parts(of: text)
    let folder = FileSystem.parent(of: parts.path)
    let isInFolder =
      parts.path.hasSuffix("/contents") && folder.lowercased().hasSuffix(".xcdatamodel")
    path = isInFolder ? folder : parts.path
    guard let kind = Self.kind(of: path) else { return nil }
    self.kind = kind
    version = parts.version
  }

  /// Creates the path of a version in a folder of versions.
  init(in folder: ModelPath, version: String) {
    (text, path) = ("\(folder.path)#\(version)", folder.path)
    (kind, self.version) = (folder.kind, version)
  }

  /// Separates path and version; a `#` in the name of an existing file is part of the path.
  package static func parts(of text: String) -> (path: String, version: String?) {
    if let mark = text.lastIndex(of: "#"), (try? FileSystem.exists(text)) != true {
      return (withoutSlash(text[..<mark]), String(text[text.index(after: mark)...]))
    }
    return (withoutSlash(text[...]), nil)
  }

  private static func withoutSlash(_ path: Substring) -> String {
    let end = path.lastIndex { $0 != "/" } ?? path.startIndex
    return path.isEmpty ? "" : String(path[...end])
  }

  private static let endings: [(String, Kind)] = [
    (".json", .schema), (".xcdatamodel", .source), (".xcdatamodeld", .sourceBundle),
    (".mom", .compiled), (".momd", .compiledBundle), (".omo", .optimized),
  ]

  private static func kind(of path: String) -> Kind? {
    let name = path.lowercased()
    if let (_, kind) = endings.first(where: { name.hasSuffix($0.0) }) { return kind }
    guard let status = try? FileStatus(of: path), status.kind == .regular,
      let file = try? FileDescriptor(opening: path), let start = try? file.read(8, at: 0)
    else { return nil }
    let isXML = ["<?xml", "<model", "\u{FEFF}<?xml"].contains { start.starts(with: $0.utf8) }
    if isXML { return .source }
    if start.starts(with: "bplist".utf8) { return .compiled }
    return start.starts(with: OptimizedModel.signature) ? .optimized : nil
  }
}

/// The compiled models that Core Data maps into memory, in an unknown format.
enum OptimizedModel {
  /// The first bytes of a file.
  static let signature = Array("momv2$".utf8)

  /// What to use in place of a file.
  static let advice =
    "its format isn't known; use the '.mom' beside it, or the '.xcdatamodeld' that it was "
    + "compiled from"
}

extension String {
  /// The last component of a path without its ending.
  var stem: String {
    let name = FileSystem.name(of: self)
    let end = name.lastIndex(of: ".") ?? name.endIndex
    return end == name.startIndex ? name : String(name[..<end])
  }
}
