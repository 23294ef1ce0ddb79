/// An edge case of a conversion, and the condition that finds it in a fixture.
struct EdgeCase: Sendable {
  let name: String

  /// The app, and the first and last version with the case.
  let app: String
  let versions: ClosedRange<Int>

  /// The rows to search, as the text after `FROM`.
  let rows: String

  static let all: [EdgeCase] = [
    quantities, moods, foods, photos, meals, owners, profiles, losses, insights, chats,
  ].flatMap(\.self)
}

// MARK: - FitIQ

extension EdgeCase {
  private static func fitiq(
    _ name: String, _ versions: ClosedRange<Int>, _ table: String, _ condition: String
  ) -> EdgeCase {
    EdgeCase(name: name, app: "FitIQ", versions: versions, rows: "\(table) WHERE \(condition)")
  }

  private static let quantities: [EdgeCase] =
    [
      "250 g", "2,5 dl", "1 1/2 cup", "1½", "100g", "1.5 kg", "3", "½ cup", "1/3", "+2 g", "-1 g",
      ".5 oz", "0", "  12 fl oz ", "250\u{A0}g", "1,000 g", "1.000 g", "2-3 slices",
      "2–3 Scheiben", "2 x 30 g", "~ 200 ml", "a handful", "some", "", "   ", "1e3 mg", "1 1/0 cup",
      "1.5.2 g", "g",
    ].map { fitiq("quantity '\($0)'", 6...7, "ZSDMEALLOGITEM", "ZQUANTITY = '\($0)'") }
    + ["IS NULL", "IS NOT NULL"].map {
      fitiq(
        "unparsed quantity, notes \($0)", 6...7, "ZSDMEALLOGITEM",
        "ZQUANTITY IN ('1,000 g', '2-3 slices', 'a handful', 'some', 'g') AND ZPARSINGNOTES \($0)")
    }

  private static let moods: [EdgeCase] =
    [
      ("none", "IS NULL"), ("lowest", "= -1"), ("highest", "= 1"), ("zero", "= 0"),
      ("below the range", "< -1"), ("above the range", "> 1"), ("beyond whole numbers", "> 1e19"),
      ("half up", "= -2.0 / 9"), ("half up from 1", "= -8.0 / 9"), ("half up above", "= 4.0 / 9"),
      ("no half", "= 0.5"),
    ].map { fitiq("valence, \($0.0)", 5...9, "ZSDMOODENTRY", "ZVALENCE \($0.1)") }

  private static let foods: [EdgeCase] =
    [
      ("calories 0", "ZCALORIES = 0"), ("calories below 0", "ZCALORIES < 0"),
      ("calories at the limit of doubles", "ZCALORIES = 9007199254740992"),
      ("usual calories", "ZCALORIES BETWEEN 1 AND 900"), ("no name", "ZNAME = ''"),
      ("decomposed name", "ZNAME = 'Pa' || char(771) || 'o de queijo'"),
      ("confidence 0", "ZCONFIDENCESCORE = 0"), ("confidence 1", "ZCONFIDENCESCORE = 1"),
      ("in a photo", "ZPHOTORECOGNITION > 0"), ("in no photo", "ZPHOTORECOGNITION IS NULL"),
    ].map { fitiq("food, \($0.0)", 9...9, "ZSDRECOGNIZEDFOODITEM", $0.1) }

  private static let photos: [EdgeCase] =
    [
      ("processed", "ZPROCESSINGCOMPLETEDAT > 0"),
      ("not processed", "ZPROCESSINGCOMPLETEDAT IS NULL"), ("of a meal", "ZMEALLOGID IS NOT NULL"),
      ("of no meal", "ZMEALLOGID IS NULL"),
      (
        "with and without foods",
        "Z_PK IN (SELECT ZPHOTORECOGNITION FROM ZSDRECOGNIZEDFOODITEM) "
          + "AND (SELECT count(*) FROM ZSDPHOTORECOGNITION) > "
          + "(SELECT count(DISTINCT ZPHOTORECOGNITION) FROM ZSDRECOGNIZEDFOODITEM)"
      ),
    ].map { fitiq("photo, \($0.0)", 9...9, "ZSDPHOTORECOGNITION", $0.1) }

  private static let meals: [EdgeCase] =
    [
      "breakfast", "lunch", "dinner", "snack", "drink", "water", "supplements", "other",
    ].map { fitiq("meal type \($0)", 6...11, "ZSDMEAL", "ZMEALTYPE = '\($0)'") }
    + ["pending", "processing", "completed", "failed"].map {
      fitiq("meal status \($0)", 6...11, "ZSDMEAL", "ZSTATUS = '\($0)'")
    }
    + ["pending", "syncing", "synced", "failed"].map {
      fitiq("sync status \($0)", 6...11, "ZSDMEAL", "ZSYNCSTATUS = '\($0)'")
    }

  private static let owners: [EdgeCase] = [
    ("ZSDPROGRESSENTRY", "ZSDUSERPROFILE", 2...8), ("ZSDSLEEPSESSION", "ZSDUSERPROFILE", 4...5),
    ("ZSDMOODENTRY", "ZSDUSERPROFILE", 5...5), ("ZSDPHOTORECOGNITION", "ZSDUSERPROFILEV9", 9...9),
  ].flatMap { table, profiles, versions in
    let joined =
      """
      \(table) e LEFT JOIN \(profiles) linked ON linked.Z_PK = e.ZUSERPROFILE
      LEFT JOIN \(profiles) named ON hex(named.ZID) = upper(replace(e.ZUSERID, '-', ''))
      """
    let (isLinked, isNamed) = ("linked.Z_PK > 0", "named.Z_PK > 0")
    let isUpper = "e.ZUSERID = upper(e.ZUSERID)"
    return [
      ("agrees with the link", "linked.Z_PK = named.Z_PK AND \(isUpper)"),
      ("fills a null link", "linked.Z_PK IS NULL AND \(isNamed) AND \(isUpper)"),
      ("disagrees with the link", "linked.Z_PK != named.Z_PK"),
      ("names nobody beside a link", "\(isLinked) AND named.Z_PK IS NULL AND e.ZUSERID != ''"),
      ("names nobody without a link", "linked.Z_PK IS NULL AND named.Z_PK IS NULL"),
      ("is empty beside a link", "\(isLinked) AND e.ZUSERID = ''"),
      ("is empty without a link", "linked.Z_PK IS NULL AND e.ZUSERID = ''"),
      ("in lower case agrees", "linked.Z_PK = named.Z_PK AND NOT \(isUpper)"),
      ("in lower case fills", "linked.Z_PK IS NULL AND \(isNamed) AND NOT \(isUpper)"),
      ("is no id", "linked.Z_PK IS NULL AND e.ZUSERID = 'local-user'"),
    ].map { fitiq("\(table): the owner's text \($0.0)", versions, joined, $0.1) }
  }

  private static let profiles: [EdgeCase] = (1...9).flatMap { version in
    let table = version == 9 ? "ZSDUSERPROFILEV9" : "ZSDUSERPROFILE"
    return [
      ("imperial units", "ZPREFERREDUNITSYSTEM = 'imperial'"),
      ("metric units", "ZPREFERREDUNITSYSTEM = 'metric'"), ("a bio", "length(ZBIO) > 0"),
      ("an empty bio", "ZBIO = ''"), ("no bio", "ZBIO IS NULL"),
      ("a language", "length(ZLANGUAGECODE) > 0"), ("no language", "ZLANGUAGECODE IS NULL"),
    ].map { fitiq("profile with \($0.0)", version...version, table, $0.1) }
  }

  private static let losses: [EdgeCase] =
    ["LABELS", "ASSOCIATIONS"].flatMap { list in
      [
        ("empty", "length(Z\(list)) = (SELECT min(length(Z\(list))) FROM ZSDMOODENTRY)"),
        ("filled", "length(Z\(list)) > (SELECT min(length(Z\(list))) FROM ZSDMOODENTRY)"),
      ].map { fitiq("\(list.lowercased()), \($0.0)", 5...9, "ZSDMOODENTRY", $0.1) }
    }
    + ["IS NULL", "IS NOT NULL"].flatMap(emptiness(_:))
    + ["0", "1"].map {
      fitiq("photo's review \($0)", 9...9, "ZSDPHOTORECOGNITION", "ZNEEDSREVIEW = \($0)")
    }

  private static func emptiness(_ what: String) -> [EdgeCase] {
    let names = [
      "CONFIDENCESCORE", "IMAGEURL", "MEALLOGID", "NOTES", "PROCESSINGSTARTEDAT",
      "TOTALCALORIES", "TOTALCARBSG", "TOTALFATG", "TOTALFIBERG", "TOTALPROTEING", "TOTALSUGARG",
    ]
    let photos = names.map {
      fitiq("photo's \($0.lowercased()) \(what)", 9...9, "ZSDPHOTORECOGNITION", "Z\($0) \(what)")
    }
    return [fitiq("mood's source \(what)", 5...9, "ZSDMOODENTRY", "ZSOURCEID \(what)")] + photos
  }
}

// MARK: - Lume

extension EdgeCase {
  private static let insights: [EdgeCase] = [
    ("generated when it was made", "ZGENERATEDAT = ZCREATEDAT"),
    ("generated at another time", "ZGENERATEDAT != ZCREATEDAT"), ("read", "ZREADAT > 0"),
    ("not read", "ZREADAT IS NULL"), ("archived", "ZARCHIVEDAT > 0"),
    ("not archived", "ZARCHIVEDAT IS NULL"), ("with data", "length(ZDATACONTEXTDATA) > 0"),
    ("without data", "ZDATACONTEXTDATA IS NULL"),
  ].map {
    EdgeCase(
      name: "insight, \($0.0)", app: "Lume", versions: 3...4, rows: "ZSDAIINSIGHT WHERE \($0.1)")
  }

  private static let chats: [EdgeCase] = ["0", "1"].map {
    EdgeCase(
      name: "context for suggestions \($0)", app: "Lume", versions: 4...7,
      rows: "ZSDCHATCONVERSATION WHERE ZHASCONTEXTFORGOALSUGGESTIONS = \($0)")
  }
}
