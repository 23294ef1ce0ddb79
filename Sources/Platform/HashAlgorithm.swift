/// An algorithm that a receipt identifies files and rows by.
///
/// The raw value is its key in a receipt.
package enum HashAlgorithm: String, Sendable {
  /// The algorithm of new receipts.
  ///
  /// It takes a tenth of the time of SHA-256, and detects changes that happen, not those that
  /// somebody constructs. Documentation: <https://xxhash.com>
  case xxh128

  /// An algorithm that receipts by trial builds have hashes of.
  case sha256

  /// Finds the algorithm of a hash by its number of hexadecimal digits.
  package init(of hash: String) { self = hash.utf8.count == 64 ? .sha256 : .xxh128 }
}
