#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Error {
  /// The text by which an event or a report names the error, of at most 500 characters.
  ///
  /// It is the `errorDescription` of a `LocalizedError`, otherwise the type and code. An error's
  /// dump is never used, because it may contain tokens or the body of a request.
  package var recordedText: String {
    let description = (self as? any LocalizedError)?.errorDescription
    // `FoundationEssentials` has no `NSError`, which would give the code.
    return String((description ?? "\(type(of: self)) (code \(_code))").prefix(500))
  }
}
