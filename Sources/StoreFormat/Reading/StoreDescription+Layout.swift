import Platform
package import StoreModel

extension StoreDescription {
  /// Returns the layout of a model in the store, whose tables give the names of join tables.
  ///
  /// The last layout is kept, because most checks ask for that of the cached model.
  ///
  /// - Complexity: O(*n*) in the properties of the model, if it isn't the last one.
  package func layout(of model: Model) -> StoreLayout {
    layouts.layout(of: model) { StoreLayout(model, joinTableNames: tableNames) }
  }

  /// The layout that was computed last.
  ///
  /// It depends on the tables and a model, so it is no part of a description's value.
  final class LastLayout: Hashable, Sendable {
    private let last = Guarded<(model: Model, layout: StoreLayout)?>(nil)

    fileprivate func layout(of model: Model, _ compute: () -> StoreLayout) -> StoreLayout {
      last.withLock { last in
        if let last, last.model == model { return last.layout }
        let layout = compute()
        last = (model, layout)
        return layout
      }
    }

    static func == (left: LastLayout, right: LastLayout) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}
