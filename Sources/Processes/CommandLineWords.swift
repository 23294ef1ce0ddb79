import CProcesses

/// Returns the words of this process's command line after the program's name.
///
/// On Linux, Swift's `CommandLine` reads them from `/proc`. If that isn't mounted, as in some
/// containers, it has no words, and a program would do something else than it was asked to do.
///
/// - Returns: The words.
/// - Throws: An ``UnreadableWord`` if a word isn't UTF-8: repaired, it could name another file.
package func commandLineWords() throws(UnreadableWord) -> [String] {
  var pointers: UnsafePointer<UnsafeMutablePointer<CChar>?>?
  let count = Int(cprocesses_words(&pointers))
  var words: [String] = []
  for case let pointer? in UnsafeBufferPointer(start: pointers, count: count).dropFirst() {
    guard let word = String(validatingCString: pointer) else {
      throw UnreadableWord(text: String(cString: pointer))
    }
    words.append(word)
  }
  return words
}

/// A word of the command line whose bytes aren't UTF-8.
package struct UnreadableWord: Error, CustomStringConvertible {
  /// The word, with U+FFFD for the bytes that can't be read.
  let text: String

  package var description: String {
    "'\(text)' isn't UTF-8; give it in UTF-8, and rename the file if it is a file's name"
  }
}
