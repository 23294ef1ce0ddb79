import CPlist

/// Returns the binary form of a property list in XML, as libplist reads it.
///
/// Related documentation: <https://libplist.org>
///
/// libplist calls itself for each level, so a text of more than 512 is none for it.
///
/// - Parameter bytes: The text, in UTF-8.
/// - Returns: The bytes of a binary property list; none where the text is no property list.
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
