package import JSONText
package import Platform

/// An error in the path or in the contents of a model.
package enum ModelSourceError: Error, Hashable, Sendable {
  /// There is no file or folder at a path.
  case absent(String)

  /// A file or folder can't be read.
  case system(SystemError)

  /// A schema file is malformed.
  case schema(JSONError)

  /// The source of a model, or a compiled model, can't be used.
  case malformed(SourcePlace, reason: String)

  /// The path doesn't say which model is meant.
  case ambiguous(String)
}

/// A place in a file of source.
package struct SourcePlace: Hashable, Sendable {
  /// The path of the file.
  package let file: String

  /// The line and the column, from 1; `nil` for a file without lines.
  package let position: TextPosition?

  package init(_ file: String, _ position: TextPosition? = nil) {
    self.file = file
    self.position = position
  }
}

extension ModelSourceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .absent(let path):
      "there is no \(path.hasSuffix(".json") ? "schema file" : "model") '\(path)'; check the path"
    case .system(let error): error.description
    case .schema(let error): error.description
    case .malformed(let place, let reason): "\(place): error: \(reason)"
    case .ambiguous(let sentence): sentence
    }
  }
}

extension SourcePlace: CustomStringConvertible {
  package var description: String {
    position.map { "\(file):\($0.line):\($0.column)" } ?? file
  }
}

extension ModelSourceError {
  /// Creates the error of a file system call at a path.
  init(_ error: SystemError, at path: String) {
    self = error.isNotFound ? .absent(path) : .system(error)
  }
}
