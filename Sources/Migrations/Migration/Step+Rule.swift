extension Step {
  /// What the step does to each row, in a few words; empty if that depends on the row.
  package var rule: String {
    switch self {
    case .addEntity: "a new entity"
    case .renameEntity(_, let name): "the row is now in '\(name)'"
    case .rename: "renamed"
    case .merge: "the value that isn't null"
    case .split: "the same value, in the sub-entity"
    case .compute(_, let formula, _): "computed: \(formula.text)"
    case .map: "replaced by the table of values"
    case .retype(_, let change):
      "read in the new type" + (change.format.map { ", as '\($0)'" } ?? "")
    case .newUUID: "new, made from the store's UUID, entity and key"
    case .require(_, _, let reason): "required: \(reason)"
    case .sequence: "its number in the order of the step"
    case .relink(_, nil): "linked as before; it may have several links now"
    case .relink(_, let keep?): "linked with one row, which is chosen by '\(keep.text)'"
    case .splitEntity(let split):
      "moved to the row of '\(split.part)' that '\(split.link)' leads to"
    case .inline(let inline): "copied from the row that '\(inline.path.property)' led to"
    case .deleteRows, .unite, .dropEntity, .add, .drop, .convert, .backfill: ""
    }
  }
}
