import Platform
import StoreMigration

/// The printing of a command's reports, which doesn't keep the command from its work.
struct Telling {
  /// A Boolean value indicating whether a file was changed by what is told of.
  var isOfChange = false

  /// Why the first report couldn't be printed that couldn't.
  private var error: SystemError?

  init() {}

  /// Prints something; that it can't be printed is said at the end.
  mutating func attempt(_ print: () throws(SystemError) -> Void) {
    do { try print() } catch { self.error = self.error ?? error }
  }

  /// Ends the telling.
  ///
  /// - Throws: A ``Failure`` if something couldn't be printed; what was done is done all the same.
  func end() throws(Failure) {
    guard let error else { return }
    let done = isOfChange ? "; what it reports is done all the same" : ""
    throw Failure(.ioError, error.description + done)
  }
}
