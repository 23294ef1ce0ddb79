import JSONText
import Testing

@Suite struct JSONValueTests {
  @Test func `a document is written compactly`() {
    let value: JSONValue = ["a": 1, "b": [true, nil, 0.5], "c": "x\n/\""]
    #expect(value.text() == #"{"a":1,"b":[true,null,0.5],"c":"x\n/\""}"#)
  }
}
