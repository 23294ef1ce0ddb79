extension StoreProgram {
  /// The programs of the tables that are rewritten.
  package var rewrites: [RowProgram] {
    actions.compactMap { if case .rewrite(let program) = $0 { program } else { nil } }
  }
}
