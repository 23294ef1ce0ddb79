/// A property list, the format of Core Data's metadata and archived models.
///
/// Only the binary format (`bplist00`) is supported, because stores use no other (StoreFormat.md
/// §3.2, §11). Keyed archives need UIDs, which Foundation supports only on Apple platforms.
///
/// Canonically equivalent strings are equal, as in Swift, but are written with their own scalars.
package indirect enum PropertyList: Hashable, Sendable {
  case boolean(Bool)

  case integer(Int64)

  /// An integer too large for ``integer(_:)``.
  ///
  /// Smaller numbers are written as integers, and read back as ``integer(_:)``.
  case unsigned(UInt64)

  case real(Double)

  /// A 32-bit floating-point number.
  case float(Float)

  /// A point in time, in seconds since 2001-01-01 00:00 UTC.
  case date(Double)

  case data([UInt8])

  case string(String)

  /// A reference in a keyed archive: an index in its `$objects`.
  case uid(UInt64)

  case array([PropertyList])

  /// A set, in file order.
  case set([PropertyList])

  case dictionary([String: PropertyList])

  case null
}
