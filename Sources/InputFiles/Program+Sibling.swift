import Platform
import Processes
import StoreMigration

extension Program {
  /// Returns the path of a program beside this one.
  ///
  /// - Throws: A ``Failure`` with an advice if there is no such program.
  package static func sibling(_ name: String, advice: String) throws(Failure) -> String {
    let path: String
    do {
      path = FileSystem.parent(of: try Program.path) + "/" + name
    } catch {
      throw Failure(.ioError, error.description)
    }
    guard (try? FileSystem.exists(path)) == true else {
      throw Failure(.failed, "there is no program '\(name)' beside 'outbox-migrate'; \(advice)")
    }
    return path
  }
}
