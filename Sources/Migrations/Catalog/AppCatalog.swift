/// What is known of one app: its versions, the migrations between them, and the forms it gave up.
package struct AppCatalog: Sendable {
  /// The versions, ordered by number and name.
  package let versions: [ModelVersion]

  /// The migrations, ordered like the versions they start at.
  package let migrations: [Migration]

  /// The forms of models that were given up and are only told by signs.
  package let abandonedEditions: [AbandonedEdition]

  package init(
    versions: [ModelVersion], migrations: [Migration], abandonedEditions: [AbandonedEdition]
  ) {
    self.versions = versions.sorted { $0.sortKey < $1.sortKey }
    self.migrations = migrations.sorted {
      SortKey(app: $0.app, name: $0.from) < SortKey(app: $1.app, name: $1.from)
    }
    self.abandonedEditions = abandonedEditions
  }

  /// Returns this with another's versions and migrations added, replacing those of equal name.
  package func merging(_ other: AppCatalog) -> AppCatalog {
    AppCatalog(
      versions: Self.merge(other.versions, versions, by: \.name),
      migrations: Self.merge(other.migrations, migrations, by: \.name),
      abandonedEditions: Self.merge(other.abandonedEditions, abandonedEditions, by: \.name))
  }

  private static func merge<Item>(
    _ new: [Item], _ old: [Item], by name: KeyPath<Item, String>
  ) -> [Item] {
    new + old.filter { old in !new.contains { $0[keyPath: name] == old[keyPath: name] } }
  }
}
