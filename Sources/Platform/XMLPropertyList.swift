import CPlist

/// Converts an XML property list to a binary one, with libplist.
///
/// Returns `nil` for texts with more than 512 levels: libplist is recursive.
///
/// Related documentation: <https://libplist.org>
///
/// - Parameter bytes: The text, in UTF-8.
/// - Returns: A binary property list, or `nil` if the text isn't a property list.
/// - Complexity: O(*n*) in the number of bytes.
package func binaryPropertyList(fromXML bytes: [UInt8]) -> [UInt8]? {
  guard let length = UInt32(exactly: bytes.count), xmlNesting(bytes, limit: 512) != nil else {
    return nil
  }
  var list: plist_t?
  bytes.withUnsafeBytes { text in
    plist_from_xml(text.bindMemory(to: CChar.self).baseAddress, length, &list)
  }
  guard let list else { return nil }
  defer { plist_free(list) }
  var binary: UnsafeMutablePointer<CChar>?
  var count: UInt32 = 0
  plist_to_bin(list, &binary, &count)
  guard let binary else { return nil }
  defer { plist_to_bin_free(binary) }
  return [UInt8](UnsafeRawBufferPointer(start: binary, count: Int(count)))
}
