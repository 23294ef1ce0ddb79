/// What each page of a file belongs to.
struct PageOwners {
  /// The owner of a page: a number of a tree from 0, or one of the others.
  enum Owner: Hashable {
    case tree(Int)
    case freeList
    case pointerMap
    case lock
  }

  /// The codes of the owners, by page; 0 for a page without an owner.
  private var codes: [UInt16]

  /// The largest number of trees.
  static let treeLimit = Int(UInt16.max) - 4

  init(pageCount: UInt32) { codes = [UInt16](repeating: 0, count: Int(pageCount)) }

  /// The owner of a page of the file; `nil` if nothing has claimed it.
  private(set) subscript(page: UInt32) -> Owner? {
    get {
      switch codes[Int(page) - 1] {
      case 0: nil
      case 1: .freeList
      case 2: .pointerMap
      case 3: .lock
      case let code: .tree(Int(code) - 4)
      }
    }
    set {
      codes[Int(page) - 1] =
        switch newValue {
        case nil: 0
        case .freeList: 1
        case .pointerMap: 2
        case .lock: 3
        case .tree(let place): UInt16(place + 4)
        }
    }
  }

  /// Gives a page an owner; returns the one that it already has.
  mutating func claim(_ page: UInt32, for owner: Owner) -> Owner? {
    if let other = self[page] { return other }
    self[page] = owner
    return nil
  }
}
