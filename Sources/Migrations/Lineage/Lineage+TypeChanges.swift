import SQLite
import StoreModel

extension Lineage {
  /// Reads the values of an attribute in the type that it has in the target.
  mutating func retype(
    _ path: PropertyPath, by change: TypeChange, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let cell = try singleCell(of: path, in: context)
    guard case .attribute(let attribute) = try context.targetProperty(path, names),
      let leaf = attribute.leaves.first,
      let type = try entity(path.entity, in: context).types[cell.path]
    else { throw .wrongValue(path, type: "a value of an attribute", in: context.migration) }
    let new = StoredType(of: leaf.attribute)
    guard !type.isExternal, !new.isExternal,
      let read = TypeReading(from: type.type, to: new.type, change.format),
      let back = TypeReading(from: new.type, to: type.type, change.format)
    else {
      throw .noTypeChange(
        path, from: type.name, to: new.name, format: change.format,
        in: context.migration)
    }
    let name = quoteIdentifier(cell.path)
    let value = read.sql(of: name)
    var otherwise = "NULL"
    if let given = change.otherwise {
      otherwise = try literal(given, leaf.attribute, path, context)
    }
    let isRefused = change.otherwise == nil
    let classes = ValueClasses(
      formula: Formula(
        "CASE WHEN \(name) IS NULL THEN 'nil' WHEN \(value) IS NOT NULL THEN 'read' "
          + "ELSE '\(isRefused ? "refused" : "unreadable")' END"),
      names: ["read"] + (isRefused ? [] : ["unreadable"]) + ["nil"],
      refusal: "can't be read as \(leaf.attribute.type.name)"
        + (change.format.map { " in the form '\($0)'" } ?? ""))
    try compute(
      path,
      by: Formula("CASE WHEN \(name) IS NOT NULL THEN coalesce(\(value), \(otherwise)) END"),
      classes: classes,
      inverse: Formula(back.sql(of: quoteIdentifier(leaf.cellName(under: path.property)))),
      in: context, names: names)
  }
}
