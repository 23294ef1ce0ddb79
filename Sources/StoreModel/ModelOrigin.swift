/// The place that a model was read from, if it isn't a schema file.
package struct ModelOrigin: Hashable, Sendable {
  /// The path as typed, such as `App.xcdatamodeld#V2`; several paths are joined by ` + `.
  package let path: String

  /// Whether the model is that of a store, which the app itself wrote.
  package let isStore: Bool

  /// What the tool ignored in the source, as sentences with positions.
  package let notes: [String]

  package init(path: String, isStore: Bool = false, notes: [String] = []) {
    self.path = path
    self.isStore = isStore
    self.notes = notes
  }
}
