import PropertyList
import StoreModel

extension ArchiveBuilder {
  /// Adds a value; `isMutable` selects mutable or immutable collections.
  mutating func add(_ value: ModelValue, isMutable: Bool = false) -> Int {
    switch value {
    case .null: add(["NSNull", "NSObject"], [:])
    case .boolean(let value): addShared(.boolean(value))
    case .integer(let value): addShared(.integer(value))
    case .real(let value): addShared(.real(value))
    case .string(let value): add(value)
    case .data(let value): addOwn(.data(value))
    case .date(let value): add(["NSDate", "NSObject"], ["NS.time": .real(value)])
    case .uuid(let value): add(["NSUUID", "NSObject"], ["NS.uuidbytes": .data(value)])
    case .url(let value): addURL(value)
    case .decimal(let value): addDecimal(value)
    case .array(let values):
      addArray(values.map { add($0, isMutable: isMutable) }, isMutable: isMutable)
    case .dictionary(let values): addDictionary(values, isMutable: isMutable)
    }
  }

  /// Adds a dictionary, sorted by key.
  mutating func addDictionary(_ values: [String: ModelValue], isMutable: Bool = false) -> Int {
    let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return addDictionary(
      sorted.map { (key: add($0.key), value: add($0.value, isMutable: isMutable)) },
      isMutable: isMutable)
  }

  private mutating func addURL(_ text: String) -> Int {
    let relative = add(text)
    return add(
      ["NSURL", "NSObject"], ["NS.base": .nilReference, "NS.relative": .reference(relative)])
  }

  /// Adds a decimal number; a text that isn't a number becomes NaN, as with `NSDecimalNumber`.
  private mutating func addDecimal(_ text: String) -> Int {
    let notANumber: [String: PropertyList] = [
      "NS.mantissa": .data(Array(repeating: 0, count: 16)), "NS.mantissa.bo": .integer(1),
      "NS.length": .integer(0), "NS.exponent": .integer(0), "NS.negative": .boolean(true),
      "NS.compact": .boolean(true),
    ]
    return add(decimalNumberClasses, decimalArchive(of: text) ?? notANumber)
  }
}
