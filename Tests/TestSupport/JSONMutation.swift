package import JSONText

extension JSONValue {
  /// Creates the value of a node.
  package init(_ node: JSONNode) {
    switch node.value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let spelling):
      self = Int64(spelling).map { .int($0) } ?? .double(Double(spelling) ?? 0)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { JSONValue($0) })
    case .object(let members):
      self = .object(members.map { Member($0.key, JSONValue($0.node)) })
    }
  }
}

/// Changes JSON documents at random places.
package struct JSONMutation {
  private var generator: SeededGenerator
  private let keys: [String]
  private let values: [JSONValue]

  /// Creates a source of changes.
  ///
  /// - Parameters:
  ///   - seed: What the changes depend on.
  ///   - keys: The keys that objects get.
  ///   - values: The values that take the place of others, beside some of each kind.
  package init(seed: UInt64, keys: [String], values: [JSONValue]) {
    generator = SeededGenerator(seed: seed)
    self.keys = keys
    self.values =
      values + [
        nil, true, false, 0, 1, -3, 2.5, 5.0, "", "a", "A.b", "A.b.c", ".", "A.", ".b", [],
        .object([]), ["a"], ["A.b", "A.c"], [1], ["date": 3.0], ["date": "x"], ["uuid": "x"],
        ["data": "AQI="],
        ["uuid": "83EB81E1-76C3-45D4-95B7-D5CE7985CC96"], ["data": "?"], ["url": "u"],
        ["decimal": 1],
        ["dictionary": ["a": 1]], ["date": 1, "url": "u"],
      ]
  }

  /// Returns the value with a change, here or inside of it.
  package mutating func callAsFunction(_ value: JSONValue) -> JSONValue {
    let isHere = Int.random(in: 0..<4, using: &generator) == 0
    switch value {
    case .array(var elements) where !isHere && !elements.isEmpty:
      let place = Int.random(in: elements.indices, using: &generator)
      elements[place] = self(elements[place])
      return .array(elements)
    case .object(var members) where !isHere && !members.isEmpty:
      let place = Int.random(in: members.indices, using: &generator)
      members[place] = .init(members[place].key, self(members[place].value))
      return .object(members)
    default: return changed(value)
    }
  }

  private mutating func changed(_ value: JSONValue) -> JSONValue {
    switch (value, Int.random(in: 0..<6, using: &generator)) {
    case (.object(var members), 0...4): return .object(changed(&members))
    case (.array(var elements), 0...2):
      if Bool.random(using: &generator) || elements.isEmpty {
        elements.append(values.randomElement(using: &generator) ?? nil)
      } else {
        elements.remove(at: Int.random(in: elements.indices, using: &generator))
      }
      return .array(elements)
    default: return values.randomElement(using: &generator) ?? nil
    }
  }

  private mutating func changed(_ members: inout [JSONValue.Member]) -> [JSONValue.Member] {
    let value = values.randomElement(using: &generator) ?? nil
    let key = keys.randomElement(using: &generator) ?? "key"
    guard let place = members.indices.randomElement(using: &generator) else {
      return [.init(key, value)]
    }
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: members.remove(at: place)
    case 1: members[place] = .init(key, members[place].value)
    case 2: members[place] = .init(members[place].key + "s", members[place].value)
    case 3: members.append(.init(key, value))
    default: members[place] = .init(members[place].key, value)
    }
    return members
  }
}
