/// The versions, migrations and abandoned editions of one app.
package struct AppCatalog: Sendable {
  /// The versions, ordered by number and name.
  package let versions: [ModelVersion]

  /// The migrations, ordered by the versions that they start at.
  package let migrations: [Migration]

  /// The abandoned editions, which are recognised by signs only.
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

  /// Returns this catalog with another's content added, replacing what has the same name.
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
