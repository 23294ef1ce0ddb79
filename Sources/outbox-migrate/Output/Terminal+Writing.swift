import StoreMigration
import Platform

extension Terminal {
  /// Writes a text to a new file, or to standard output if the path is `nil`.
  func write(_ text: String, to path: String?) throws -> Int32 {
    guard let path else {
      try output.print(text)
      return 0
    }
    do {
      try FileSystem.create(path, Array(text.utf8), mode: 0o644)
    } catch {
      throw Failure(
        .cannotCreate,
        error.isExisting
          ? "'\(path)' already exists; give another name" : "\(error); check the folder")
    }
    return 0
  }
}
