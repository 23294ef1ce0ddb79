/// An error in a property list, and its offset.
package struct PropertyListError: Error, Hashable, Sendable {
  /// The reason.
  package let reason: Reason

  /// The offset of the error in bytes, from the start of the list.
  package let offset: Int

  /// The reason for an error in a property list.
  package enum Reason: Hashable, Sendable {
    case notBinary
    case truncated
    case trailer(String)
    case offsetOutOfRange(object: Int)
    case marker(UInt8)
    case count(UInt64)
    case reference(UInt64, of: Int)
    case cycle(object: Int)
    case tooDeep(Int)
    case tooLarge(Int)
    case integerOutOfRange
    case textNotASCII
    case textNotUTF16
    case keyNotString
    case duplicateKey
  }
}

extension PropertyListError: CustomStringConvertible {
  package var description: String { "byte \(offset): \(reason)" }
}

extension PropertyListError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notBinary:
      "not a binary property list; it doesn't start with 'bplist00'"
    case .truncated:
      "the property list is truncated"
    case .trailer(let problem):
      "invalid trailer: \(problem)"
    case .offsetOutOfRange(let object):
      "object \(object) is outside the property list"
    case .marker(let marker):
      "invalid object marker 0x\(String(marker, radix: 16))"
    case .count(let count):
      "a count of \(count) exceeds the size of the property list"
    case .reference(let reference, let count):
      "reference to object \(reference) of \(count)"
    case .cycle(let object):
      "object \(object) contains itself"
    case .tooDeep(let limit):
      "the property list is nested deeper than \(limit) levels"
    case .tooLarge(let limit):
      "the property list expands to more than \(limit) values"
    case .integerOutOfRange:
      "an integer doesn't fit in 64 bits"
    case .textNotASCII:
      "an ASCII string contains other bytes"
    case .textNotUTF16:
      "a string isn't well-formed UTF-16"
    case .keyNotString:
      "a dictionary key isn't a string"
    case .duplicateKey:
      "a dictionary has a duplicate key"
    }
  }
}
