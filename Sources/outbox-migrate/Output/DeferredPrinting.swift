import InputFiles
import StoreMigration
import Platform

/// Prints reports, and defers a failure to print until the command's work is done.
struct DeferredPrinting {
  /// A Boolean value indicating whether a reported command has changed files.
  var hasChangedFiles = false

  /// The first error of printing.
  private var error: SystemError?

  init() {}

  /// Prints something, and keeps an error for ``finish()``.
  mutating func attempt(_ print: () throws(SystemError) -> Void) {
    do { try print() } catch { self.error = self.error ?? error }
  }

  /// Throws a ``Failure`` if something couldn't be printed.
  func finish() throws(Failure) {
    guard let error else { return }
    let done = hasChangedFiles ? "; the changes were made, only the report is missing" : ""
    throw Failure(.ioError, error.description + done)
  }
}
