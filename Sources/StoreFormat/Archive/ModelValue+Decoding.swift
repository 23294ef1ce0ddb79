import PropertyList
import StoreModel

extension ArchiveBudget {
  /// The maximum nesting depth of collections in a value, and of composite attributes.
  static let deepestNesting = 64

  /// Returns the value of an object, or `nil` if the model can't represent the object's class.
  mutating func value(
    of object: ArchivedObject, depth: Int = 1
  ) throws(ArchiveError) -> ModelValue? {
    guard depth <= Self.deepestNesting else { throw .tooLarge }
    try spend()
    switch object.value {
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return .real(Double(value))
    case .real(let value): return .real(value)
    case .float(let value): return .real(Double(value))
    case .date(let value): return .date(value)
    case .data(let value): return .data(value)
    case .string(let value): return .string(value)
    case .null: return .null
    case .dictionary: return try instance(object, depth: depth)
    case .uid, .array, .set: return nil
    }
  }

  private mutating func instance(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchiveError) -> ModelValue? {
    let list = object.value
    for name in try object.classNames {
      switch name {
      case "NSString": return object.text.map { .string($0) }
      case "NSData": return list["NS.data"]?.dataValue.map { .data($0) }
      case "NSDate": return list["NS.time"]?.doubleValue.map { .date($0) }
      case "NSUUID":
        guard let bytes = list["NS.uuidbytes"]?.dataValue, bytes.count == 16 else { return nil }
        return .uuid(bytes)
      case "NSURL": return try url(object)
      case "NSDecimalNumber": return decimalText(of: list).map { .decimal($0) }
      case "NSNull": return .null
      case "NSArray", "NSSet": return .array(try values(in: object, depth: depth))
      case "NSDictionary": return .dictionary(try dictionary(object, depth: depth))
      default: continue
      }
    }
    return nil
  }

  private mutating func values(
    in object: ArchivedObject, depth: Int
  ) throws(ArchiveError) -> [ModelValue] {
    var values: [ModelValue] = []
    for element in try elements(of: object) {
      if let value = try value(of: element, depth: depth + 1) { values.append(value) }
    }
    return values
  }

  /// Returns the entries of a dictionary that have text keys and values that can be represented.
  ///
  /// The first of equal keys counts.
  mutating func dictionary(
    _ object: ArchivedObject?, depth: Int = 1
  ) throws(ArchiveError) -> [String: ModelValue] {
    guard let object else { return [:] }
    try spend(object.elementCount)
    var values: [String: ModelValue] = [:]
    for (key, element) in try object.pairs {
      guard let key = key.text, values[key] == nil else { continue }
      values[key] = try value(of: element, depth: depth + 1)
    }
    return values
  }

  /// Returns an absolute URL, or `nil` for a relative one.
  private func url(_ object: ArchivedObject) throws(ArchiveError) -> ModelValue? {
    guard try object.object("NS.base") == nil else { return nil }
    return try object.object("NS.relative")?.text.map { .url($0) }
  }
}
