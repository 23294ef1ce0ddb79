import StoreModel

/// How a row's two references to its owner relate: a relationship, and a text with the user's ID.
///
/// FitIQ stored both for some entities and dropped the texts one after the other.
enum OwnerCase: CaseIterable, Sendable {
  /// Both refer to the same user.
  case agreeing

  /// There is no link; the text refers to a user.
  case filling

  /// The text refers to another user than the link, if there is another.
  case disagreeing

  /// The text refers to no user; the link does.
  case foreign

  /// There is no link, and the text refers to no user.
  case lost

  /// The text is empty; the link refers to a user.
  case empty

  /// There is no link, and the text is empty.
  case nothing

  /// There is no link; the text refers to a user, in lowercase.
  case fillingInLowerCase

  /// Both refer to the same user, the text in lowercase.
  case agreeingInLowerCase

  /// There is no link, and the text isn't an ID.
  case word

  /// Whether the row has a link.
  var isLinked: Bool {
    switch self {
    case .agreeing, .disagreeing, .foreign, .empty, .agreeingInLowerCase: true
    case .filling, .lost, .nothing, .fillingInLowerCase, .word: false
    }
  }
}

extension FixturePlan {
  private static let ownerCasePurpose = stableHash("owner case")

  /// Returns the case of a row: the first rows cover all cases, and later rows mostly agree.
  func ownerCase(_ rowSet: RowSet, _ index: Int) -> OwnerCase {
    if index < OwnerCase.allCases.count { return OwnerCase.allCases[index] }
    var random = random(rowSet.hash ^ Self.ownerCasePurpose, index)
    switch random.below(100) {
    case 0..<4: return .filling
    case 4..<6: return .disagreeing
    case 6..<8: return .foreign
    case 8..<9: return .lost
    case 9..<13: return .empty
    case 13..<14: return .nothing
    case 14..<16: return .fillingInLowerCase
    case 16..<18: return .agreeingInLowerCase
    default: return .agreeing
    }
  }

  /// Returns the text for a row's case.
  func ownerText(_ rowSet: RowSet, _ index: Int) -> [UInt8] {
    let owner = ownerIndex(rowSet, index) ?? 0
    switch ownerCase(rowSet, index) {
    case .agreeing, .filling: return uuidTextBytes(user(owner))
    // With a single user, the text refers to a user without a profile.
    case .disagreeing: return uuidTextBytes(user((owner + 1) % max(options.userCount, 2)))
    case .foreign, .lost:
      var random = random(rowSet.hash ^ Self.ownerCasePurpose, -1 - index)
      return uuidTextBytes(random.uuid())
    case .empty, .nothing: return []
    case .fillingInLowerCase, .agreeingInLowerCase:
      return Array(uuidText(user(owner)).lowercased().utf8)
    case .word: return Array("local-user".utf8)
    }
  }
}
