import CommandLineKit
package import JSONText
package import ModelSource
import Platform
package import StoreMigration

extension Failure {
  /// Creates the failure for an error that a command threw.
  package init(any error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as SystemError: self.init(.ioError, error.description)
    default: preconditionFailure("a command throws a failure or a system's error, not \(error)")
    }
  }

  /// Creates the failure for an error of the library; a missing store's names one that it may be.
  package init(_ error: MigrationError) {
    if case .file(let error) = error.cause {
      self.init(error)
    } else if let path = error.missingStore, let near = Self.path(near: path) {
      self.init(.noStore, "there is no store '\(path)'; did you mean '\(near)'?")
    } else {
      self.init(error.exitStatus, error.description)
    }
  }

  /// Returns the path of a file in the same folder whose name is similar.
  private static func path(near path: String) -> String? {
    let folder = FileSystem.parent(of: path)
    // A common ending such as '.store' alone doesn't make names similar.
    func stem(_ name: some StringProtocol) -> String { String(name.prefix { $0 != "." }) }
    guard let name = path.split(separator: "/").last, path.hasSuffix(name),
      let names = try? FileSystem.list(folder).sorted(),
      let near = nearestName(
        to: String(name),
        among: names.filter { nearestName(to: stem(name), among: [stem($0)]) != nil })
    else { return nil }
    return String(path.dropLast(name.count)) + near
  }

  /// Creates the failure for an error in a file, whose message begins with its position.
  package init(_ error: JSONError) {
    self.init(.badFile, error.description, hasPosition: error.file != nil)
  }

  /// Creates the failure for an error of reading a model.
  package init(_ error: ModelSourceError) {
    switch error {
    case .absent: self.init(.noStore, error.description)
    case .system: self.init(.ioError, error.description)
    case .schema(let error): self.init(error)
    case .malformed: self.init(.badFile, error.description, hasPosition: true)
    case .ambiguous: self.init(.misuse, error.description)
    }
  }
}
