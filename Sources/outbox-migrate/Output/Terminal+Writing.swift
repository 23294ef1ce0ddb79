import InputFiles
import Processes
import StoreMigration
import Platform
import TerminalOutput

extension Terminal {
  /// Writes a text to a new file, or to standard output if the path is `nil`.
  func write(_ text: String, to path: String?) throws -> Int32 {
    guard let path else {
      try output.print(text)
      return 0
    }
    StopSignal.noteAgain()
    do {
      guard try !FileSystem.exists(path) else {
        throw Failure(.cannotCreate, "'\(path)' already exists; give another name")
      }
      // A killed run leaves no part of the file under its name.
      try FileSystem.replace(
        path, with: Array(text.utf8), mode: 0o644, suffix: FileSystem.draftSuffix)
    } catch let error as SystemError {
      throw Failure(.cannotCreate, "\(error); check the folder")
    }
    return 0
  }
}
