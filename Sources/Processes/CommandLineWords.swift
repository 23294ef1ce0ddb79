import CProcesses

/// Returns the words of this process's command line after the program's name.
///
/// On Linux, Swift's `CommandLine` reads them from `/proc`. If that isn't mounted, as in some
/// containers, it has no words, and a program would do something else than it was asked to do.
///
/// Bytes that aren't UTF-8 become U+FFFD.
package func commandLineWords() -> [String] {
  var words: UnsafePointer<UnsafeMutablePointer<CChar>?>?
  let count = Int(cprocesses_words(&words))
  return UnsafeBufferPointer(start: words, count: count).dropFirst().compactMap {
    $0.map { String(cString: $0) }
  }
}
