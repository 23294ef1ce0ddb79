import JSONText
import Testing

@Suite struct JSONDecodingTests {
  private enum Verb: String, CaseIterable { case add, drop, rename }

  @Test func `strict reading is short`() throws {
    let text = #"{"from": "V6", "count": -3, "share": 0.5, "on": true, "list": ["a", "b"]}"#
    let object = try JSONNode(parsing: text)
      .object(allowing: ["from", "count", "share", "on", "list", "note"])
    #expect(try object.required("from").string == "V6")
    #expect(try object.required("count").integer == -3)
    #expect(try object.required("count").double == -3)
    #expect(try object.required("share").double == 0.5)
    #expect(try object.required("on").bool)
    #expect(try object.required("list").strings == ["a", "b"])
    #expect(try object.optional("note")?.string == nil)
    #expect(object.keys == ["from", "count", "share", "on", "list"])
  }

  @Test func `an unknown key names the nearest one`() throws {
    let node = try JSONNode(parsing: "{\n  \"form\": 1\n}", file: "m/1.json")
    let error = #expect(throws: JSONError.self) { try node.object(allowing: ["from", "to"]) }
    #expect(
      error?.description == "m/1.json:2:3: error: unknown key 'form'; did you mean 'from'?")
    let far = #expect(throws: JSONError.self) { try node.object(allowing: ["steps"]) }
    #expect(far?.description == "m/1.json:2:3: error: unknown key 'form'")
  }

  @Test func `a missing key is an error at its object`() throws {
    let object = try JSONNode(parsing: "[\n{}]", file: "a.json").array[0].object
    let error = #expect(throws: JSONError.self) { try object.required("from") }
    #expect(error?.description == "a.json:2:1: error: key 'from' is missing")
  }

  @Test func `a name outside the allowed ones names the nearest`() throws {
    #expect(try JSONNode(parsing: #""drop""#).name(as: Verb.self) == .drop)
    #expect(try JSONNode(parsing: #""drop""#).name(among: ["add", "drop"]) == "drop")
    let node = try JSONNode(parsing: #""renmae""#)
    let error = #expect(throws: JSONError.self) { try node.name(as: Verb.self) }
    #expect(error?.description == "1:1: error: unknown name 'renmae'; did you mean 'rename'?")
    let other = #expect(throws: JSONError.self) { try node.name(among: ["Rename"]) }
    #expect(other?.description == "1:1: error: unknown name 'renmae'; did you mean 'Rename'?")
  }

  @Test func `a value of the wrong type says what it is`() throws {
    func message(_ text: String, _ read: (JSONNode) throws(JSONError) -> Void) throws -> String? {
      let node = try JSONNode(parsing: text)
      return #expect(throws: JSONError.self) { try read(node) }?.description
    }
    let cases = try [
      message("1") { node throws(JSONError) in _ = try node.string },
      message("[]") { node throws(JSONError) in _ = try node.object },
      message("{}") { node throws(JSONError) in _ = try node.array },
      message("null") { node throws(JSONError) in _ = try node.bool },
      message("\"1\"") { node throws(JSONError) in _ = try node.integer },
      message("1.0") { node throws(JSONError) in _ = try node.integer },
      message("9223372036854775808") { node throws(JSONError) in _ = try node.integer },
      message("true") { node throws(JSONError) in _ = try node.double },
      message("1e400") { node throws(JSONError) in _ = try node.double },
      message("[1]") { node throws(JSONError) in throw node.error("no such entity") },
    ]
    #expect(
      cases == [
        "1:1: error: expected a string, not a number",
        "1:1: error: expected an object, not an array",
        "1:1: error: expected an array, not an object",
        "1:1: error: expected a Boolean, not null",
        "1:1: error: expected a whole number, not a string",
        "1:1: error: expected a whole number, not one with a decimal point or an exponent",
        "1:1: error: the number is out of range for 64 bits",
        "1:1: error: expected a number, not a Boolean",
        "1:1: error: the number is out of range for a double",
        "1:1: error: no such entity",
      ])
  }

  @Test(
    arguments: [
      ("form", ["to", "from"], "from"), ("ad", ["drop", "add"], "add"), ("FROM", ["from"], "from"),
      ("payloed", ["metadata", "payload"], "payload"), ("entityId", ["entityID"], "entityID"),
      ("steps", ["step", "stepss"], "step"), ("x", ["y"], nil), ("abc", ["xyz"], nil),
      ("", [""], nil),
      ("verify", [], nil), ("renam", ["drop", "rename"], "rename"), ("remove", ["rename"], nil),
    ] as [(String, [String], String?)])
  func `the nearest name is a small mistake away`(
    _ name: String, _ names: [String], _ nearest: String?
  ) {
    #expect(nearestName(to: name, among: names) == nearest)
  }
}
