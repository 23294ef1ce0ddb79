#if canImport(Darwin)
  import Foundation

  private func converted(_ bytes: [UInt8]) -> [UInt8]? {
    var format = PropertyListSerialization.PropertyListFormat.xml
    // Foundation reads the other formats too.
    guard
      let list = try? PropertyListSerialization.propertyList(
        from: Data(bytes), options: [], format: &format), format == .xml,
      let binary = try? PropertyListSerialization.data(
        fromPropertyList: list, format: .binary, options: 0)
    else { return nil }
    return Array(binary)
  }
#else
  import CPlist

  private func converted(_ bytes: [UInt8]) -> [UInt8]? {
    guard let length = UInt32(exactly: bytes.count) else { return nil }
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
#endif

/// Converts an XML property list to a binary one, with libplist, on Darwin with Foundation.
///
/// Returns `nil` for texts with more than 512 levels: libplist is recursive.
///
/// Related documentation: <https://libplist.org>
///
/// - Parameter bytes: The text, in UTF-8.
/// - Returns: A binary property list, or `nil` if the text isn't a property list.
/// - Complexity: O(*n*) in the number of bytes.
package func binaryPropertyList(fromXML bytes: [UInt8]) -> [UInt8]? {
  xmlNesting(bytes, limit: 512) == nil ? nil : converted(bytes)
}
