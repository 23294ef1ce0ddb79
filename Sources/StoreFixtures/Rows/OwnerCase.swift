/// How the two ways of saying whose a row is go together: its link, and a text with the user's id.
///
/// FitIQ kept both for some entities and dropped the texts one after the other.
enum OwnerCase: CaseIterable, Sendable {
  /// Both name the same user.
  case agreeing

  /// There is no link; the text names a user.
  case filling

  /// The text names another user than the link, if there is another.
  case disagreeing

  /// The text names nobody, and the link somebody.
  case foreign

  /// There is no link, and the text names nobody.
  case lost

  /// There is no text.
  case empty

  /// There is neither.
  case nothing

  /// There is no link; the text names a user in lower case.
  case fillingInLowerCase

  /// Both name the same user, the text in lower case.
  case agreeingInLowerCase

  /// There is no link, and the text is no id at all.
  case word

  /// A Boolean value indicating whether the row has a link.
  var isLinked: Bool {
    switch self {
    case .agreeing, .disagreeing, .foreign, .empty, .agreeingInLowerCase: true
    case .filling, .lost, .nothing, .fillingInLowerCase, .word: false
    }
  }
}

extension World {
  private static let ownerCasePurpose = stableHash("owner case")

  /// Returns the case of a row: the first rows have one each, later ones mostly agree.
  func ownerCase(_ crowd: Crowd, _ index: Int) -> OwnerCase {
    if index < OwnerCase.allCases.count { return OwnerCase.allCases[index] }
    var random = random(crowd.hash ^ Self.ownerCasePurpose, index)
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

  /// Returns the text that goes with a row's case.
  func ownerText(_ crowd: Crowd, _ index: Int) -> [UInt8] {
    let owner = ownerIndex(crowd, index) ?? 0
    switch ownerCase(crowd, index) {
    case .agreeing, .filling: return uuidTextBytes(user(owner))
    // One user alone has nobody to be taken for.
    case .disagreeing: return uuidTextBytes(user((owner + 1) % max(options.userCount, 2)))
    case .foreign, .lost:
      var random = random(crowd.hash ^ Self.ownerCasePurpose, -1 - index)
      return uuidTextBytes(random.uuid())
    case .empty, .nothing: return []
    case .fillingInLowerCase, .agreeingInLowerCase:
      return Array(String(decoding: uuidTextBytes(user(owner)), as: UTF8.self).lowercased().utf8)
    case .word: return Array("local-user".utf8)
    }
  }
}
