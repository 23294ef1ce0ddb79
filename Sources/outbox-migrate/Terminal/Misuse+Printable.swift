import CommandLineKit
import SafeText

extension Misuse {
  /// The lines for standard error, with unprintable characters escaped.
  var printableLines: String {
    "\(self)".split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).printable + "\n" }.joined()
  }
}
