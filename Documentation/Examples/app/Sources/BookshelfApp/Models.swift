#if canImport(SwiftData)
  import SwiftData

  @Model
  final class Shelf {
    var name = ""
    @Relationship(inverse: \Volume.shelf) var books: [Volume]?

    init(name: String) { self.name = name }

    var sortedBooks: [Volume] { (books ?? []).sorted { $0.title < $1.title } }
  }

  @Model
  final class Volume {
    var title = ""
    var length = 0.0
    var shelf: Shelf?

    init(title: String, length: Double) {
      self.title = title
      self.length = length
    }
  }
#endif
