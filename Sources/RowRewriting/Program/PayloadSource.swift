/// A column of the target that is a payload's text.
struct PayloadSource: Hashable {
  /// The index of the conversion.
  package let conversion: Int

  /// The source's column with the payload.
  package let column: Int

  package init?(_ cell: RowProgram.Cell, in program: RowProgram) {
    guard case .converted(let place, _) = cell,
      let column = program.conversions[place].payloadColumn
    else { return nil }
    conversion = place
    self.column = column
  }
}
