import PropertyList
import StoreFormat

/// Replaces the strings, numbers, dates and bytes of property lists.
///
/// The keys of keyed archives, and the names of Apple's classes in them, stay.
struct PropertyListWalk {
  let values: ValueWalk
  let column: ColumnShape

  func walk(_ list: PropertyList) throws -> PropertyList {
    switch list {
    case .boolean, .uid, .null: return list
    case .integer(let number): return .integer(try values.integer(number, column))
    case .unsigned(let number):
      return .unsigned(UInt64(bitPattern: try values.integer(Int64(bitPattern: number), column)))
    case .real(let number): return .real(try values.real(number, column))
    case .float(let number): return .float(Float(try values.real(Double(number), column)))
    case .date(let seconds):
      guard seconds.magnitude <= ValueWalk.largestDate else {
        return .date(try values.real(seconds, column))
      }
      guard !ValueWalk.constantDates.contains(seconds),
        case .date(let date) = try values.change(.date(seconds), column)
      else { return list }
      return .date(date)
    case .data(let bytes): return .data(try values.blob(bytes, column))
    case .string(let text):
      return isKept(text) ? list : .string(String(decoding: try string(text), as: UTF8.self))
    case .array(let elements): return .array(try elements.map { try walk($0) })
    case .set(let elements): return .set(try elements.map { try walk($0) })
    case .dictionary(let members):
      var result: [String: PropertyList] = [:]
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        let name = isKept(key) ? key : String(decoding: try string(key), as: UTF8.self)
        result[name] = Self.numbers.contains(key) ? value : try walk(value)
      }
      return .dictionary(result)
    }
  }

  private func string(_ text: String) throws -> [UInt8] {
    try values.text(Array(text.utf8), column)
  }

  private func isKept(_ text: String) -> Bool {
    values.words.keys.contains(text) || Self.frameworkWords.contains(text)
  }

  /// The keys whose numbers belong to the archive's format.
  private static let numbers: Set = ["$version"]

  /// The words of keyed archives that Foundation writes.
  static let frameworkWords: Set = [
    "$archiver", "$class", "$classes", "$classname", "$null", "$objects", "$top", "$version",
    "NSKeyedArchiver", "root", "NS.objects", "NS.keys", "NS.string", "NS.bytes", "NS.data",
    "NS.time", "NS.uuidbytes", "NS.base", "NS.relative", "NSObject", "NSArray", "NSMutableArray",
    "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSOrderedSet", "NSString",
    "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSUUID", "NSURL", "NSNumber",
    "NSNull", "NSDecimalNumber", "NSValue", "NSAttributedString", "UIColor", "NSColor",
  ]
}
