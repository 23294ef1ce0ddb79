import JSONText
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

extension Plan {
  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    app = try object.required("app").string
    from = try object.required("from").string
    to = try object.required("to").string
    migrations = try object.required("migrations").strings
    steps = try object.required("steps").list { (node) throws(JSONError) in
      try PlannedStep(parsing: node)
    }
    conversions = try object.required("conversions").list { (node) throws(JSONError) in
      try PlannedConversion(parsing: node)
    }
    losses = try object.required("losses").list { (node) throws(JSONError) in
      try PlannedLoss(parsing: node)
    }
    warnings = try object.required("warnings").list { (node) throws(JSONError) in
      try PlanWarning(parsing: node)
    }
    rowsWritten = try object.required("rows_written").count
    rows = try object.required("rows").name(as: MigrationRequest.Rows.self)
    let counts = try object.required("delivery")
    delivery = counts.isNull ? nil : try DeliveryCounts(parsing: counts)
    examples = try object.required("examples").list { (node) throws(JSONError) in
      try PlanExample(parsing: node)
    }
    let needs = try object.required("needs").object(Self.needsForm)
    neededBytes = try needs.required("disk_bytes").count
  }
}

extension PlannedStep {
  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    migration = try object.required("migration").string
    verb = try object.required("verb").string
    self.object = try object.required("object").string
    newName = try object.required("to").optionalString
    rows = try object.required("rows").count
    isReversible = try object.required("reversible").bool
  }
}

extension PlannedConversion {
  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    self.object = try object.required("object").string
    target = try object.required("to").string
    rows = try object.required("rows").count
    classes = try object.required("classes").object.members.map { (member) throws(JSONError) in
      ClassCount(name: member.key, count: try member.node.count)
    }
  }
}

extension PlannedLoss {
  init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    self.init(
      step: try object.required("step").string, object: try object.required("object").string,
      rows: try object.required("rows").count)
  }
}

extension PlanWarning {
  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    var types: [String: Int64] = [:]
    for member in try object.required("event_types").object.members {
      types[member.key] = try member.node.count
    }
    self.init(
      code: try object.required("code").string, rows: try object.required("rows").count,
      message: try object.required("message").string, eventTypes: types)
  }
}

extension PlanExample {
  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    entity = try object.required("entity").string
    newEntity = try object.required("to").string
    key = try object.required("key").integer
    kind = try object.required("class").string
    before = try object.required("before").list { (node) throws(JSONError) in
      try Part(parsing: node)
    }
    after = try object.required("after").list { (node) throws(JSONError) in
      try Part(parsing: node)
    }
  }
}

extension PlanExample.Part {
  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    let object = try node.object(Self.form)
    self.init(
      attribute: try object.required("attribute").string,
      fingerprint: try ValueFingerprint(parsing: object))
  }
}

extension JSONNode {
  /// Maps the elements of an array.
  func list<Element>(
    _ element: (JSONNode) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    try array.map(element)
  }
}
