import Migrations
package import SQLite
package import StoreFormat
package import StoreModel

extension Column {
  /// Returns what stands for a value of a new row that the column's attribute can't hold.
  ///
  /// It is no value or, in a mandatory attribute, the default or the minimal value of the type.
  package func standIn(in model: Model) -> Value {
    guard case .attribute(let entity, let path, _) = content, let name = path.first,
      case .attribute(let attribute)? = model[entity]?[name],
      let leaf = attribute.leaves.first(where: { $0.cellName == path.joined(separator: ".") })?
        .attribute, !attribute.isOptional, !leaf.isOptional
    else { return .null }
    return attribute.storedDefault(of: leaf) ?? leaf.type.leastValue?.stored(as: leaf) ?? .null
  }
}
