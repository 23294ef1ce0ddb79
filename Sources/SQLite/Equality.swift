/// What it means that two stored values are the same.
package enum Equality: Hashable, Sendable {
  /// The same storage class and the same bits.
  ///
  /// 1 and 1.0 differ, as do 0.0 and -0.0, or a text and a blob of equal bytes.
  case identical

  /// The same content: identical values, or the same number whether stored as an integer or a real.
  ///
  /// SQLite keeps a date of whole seconds as an integer in some columns, and Core Data reads the same
  /// date from both. A text and a blob of equal bytes differ.
  case content

  /// The same bytes, as a text or as a blob; other values have none.
  case bytes
}
