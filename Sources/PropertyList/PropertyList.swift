/// A value of a property list, as Core Data keeps its metadata and its archived model in.
///
/// Only the binary form (`bplist00`) is read and written, because no other one is found in a store
/// (StoreFormat.md §3.2, §11). Keyed archives need its UIDs, which is what Foundation leaves out
/// where it doesn't come from Apple.
///
/// Two strings that are canonically equivalent are equal here, as everywhere in Swift, but are
/// written with the scalars they have.
package indirect enum PropertyList: Hashable, Sendable {
  case boolean(Bool)

  case integer(Int64)

  /// A number too large for ``integer(_:)``.
  ///
  /// A smaller one is written like an integer, and read as one.
  case unsigned(UInt64)

  case real(Double)

  /// A number kept in four bytes.
  case float(Float)

  /// A point in time, in seconds since 2001-01-01 00:00 UTC.
  case date(Double)

  case data([UInt8])

  case string(String)

  /// A reference of a keyed archive: the place of an object in its `$objects`.
  case uid(UInt64)

  case array([PropertyList])

  /// A set, in the order of the file.
  case set([PropertyList])

  case dictionary([String: PropertyList])

  case null
}
