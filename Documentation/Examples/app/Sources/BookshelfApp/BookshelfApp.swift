#if canImport(SwiftUI) && canImport(SwiftData)
  import StoreUpgrade
  import SwiftData
  import SwiftUI

  @main
  struct BookshelfApp: App {
    @State private var launch = Launch()

    var body: some Scene {
      WindowGroup {
        switch launch.state {
        case .working(let phase): ProgressView(phase).task { await launch.start() }
        case .ready(let container): ShelfList().modelContainer(container)
        case .failed(let reason, let canRetry):
          ContentUnavailableView {
            Label("Your books can't be opened", systemImage: "books.vertical")
          } description: {
            Text(reason)
          } actions: {
            if canRetry { Button("Try Again") { launch.retry() } }
          }
        }
      }
    }
  }

  struct ShelfList: View {
    @Query(sort: \Shelf.name) private var shelves: [Shelf]

    var body: some View {
      List(shelves) { shelf in
        Section(shelf.name) { ForEach(shelf.sortedBooks) { Text($0.title) } }
      }
    }
  }
#else
  // There is no SwiftUI on this system. `StoreUpgrade` is for all systems.
  @main
  struct BookshelfApp {
    static func main() { print("BookshelfApp needs macOS or iOS.") }
  }
#endif
