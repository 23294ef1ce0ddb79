/// A reason why bytes are no property list, and where that shows.
package struct PropertyListError: Error, Hashable, Sendable {
  /// What is wrong.
  package let reason: Reason

  /// The byte where it shows, counted from the start of the list.
  package let offset: Int

  /// What can be wrong with a property list.
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
      "no binary property list; it would begin with 'bplist00'"
    case .truncated:
      "the property list ends too early"
    case .trailer(let problem):
      "the trailer of the property list is wrong: \(problem)"
    case .offsetOutOfRange(let object):
      "object \(object) lies outside of the property list"
    case .marker(let marker):
      "no object of a property list begins with 0x\(String(marker, radix: 16))"
    case .count(let count):
      "a count of \(count) is more than the property list can hold"
    case .reference(let reference, let count):
      "object \(reference) is referred to, but there are only \(count)"
    case .cycle(let object):
      "object \(object) contains itself"
    case .tooDeep(let limit):
      "the property list is nested deeper than \(limit) levels"
    case .tooLarge(let limit):
      "the property list unfolds to more than \(limit) values"
    case .integerOutOfRange:
      "an integer doesn't fit in 64 bits"
    case .textNotASCII:
      "a string declared as ASCII has other bytes"
    case .textNotUTF16:
      "a string is no well-formed UTF-16"
    case .keyNotString:
      "a dictionary has a key that is no string"
    case .duplicateKey:
      "a dictionary has the same key twice"
    }
  }
}
