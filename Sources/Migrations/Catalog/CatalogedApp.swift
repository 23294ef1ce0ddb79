import JSONText
import Platform

/// An app of a catalog.
///
/// The files of an app that is part of the tool are read when somebody first asks for what is in them:
/// a store is of one app, and every start would wait for the other's.
final class CatalogedApp: Sendable {
  /// The app's name, in lower case.
  package let name: String

  /// What the tool carries about the app; none where all of it is read already.
  private let files: [EmbeddedFile]
  private let content: Guarded<AppCatalog?>

  /// An app that all is known of.
  package init(name: String, _ content: AppCatalog) {
    self.name = name
    files = []
    self.content = Guarded(content)
  }

  /// An app that is part of the tool.
  ///
  /// - Parameters:
  ///   - name: Its name, which is that of its folder.
  ///   - files: What the tool carries about it.
  package init(name: String, files: [EmbeddedFile]) {
    self.name = name
    self.files = files
    content = Guarded(nil)
  }

  /// What is known of the app.
  ///
  /// - Complexity: O(*n*) in the bytes of its files, the first time.
  package var catalog: AppCatalog {
    content.withLock { content in
      let catalog = content ?? read()
      content = catalog
      return catalog
    }
  }

  /// Returns whether a model with these entities may be one of the app's: their names stand in its files.
  package func mayHave(entities names: some Sequence<String>) -> Bool {
    files.isEmpty
      || names.allSatisfy { name in
        files.contains { $0.holds("\"\(name)\"") }
      }
  }

  private func read() -> AppCatalog {
    do throws(JSONError) {
      let found = try Catalog(files: files.map { ($0.path, $0.bytes) })
      guard let catalog = found.catalog(of: name) else {
        preconditionFailure(
          "the tool was built with a folder of another name than its app's: \(name)")
      }
      return catalog
    } catch {
      preconditionFailure("the tool was built with a wrong file: \(error)")
    }
  }
}
