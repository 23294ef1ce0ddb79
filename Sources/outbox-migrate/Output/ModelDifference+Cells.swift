import SafeText
import StoreModel

extension ModelDifference.Change {
  /// A row of a table: sign, object, detail.
  var cells: [Cell] {
    let sign: Cell =
      switch parts.change {
      case "added": Cell("+", .good)
      case "removed": Cell("-", .bad)
      default: Cell("~", .changed)
      }
    return [sign, Cell(parts.object), Cell(parts.detail)]
  }
}
