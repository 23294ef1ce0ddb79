import PropertyList
import StoreFormat
import StoreModel

/// Invented texts of users and apps.
enum Vocabulary {
  static let names = [
    "Ada", "José", "Zoe\u{308}", "Łukasz", "さくら", "Noor", "O'Neill", "Anne-Marie", "مريم", "Bjørn",
  ]

  /// Sentences with edge cases: decomposed letters, joined emoji, slashes, quotes, tabs.
  static let sentences = [
    "Slept well and woke before the alarm.",
    "Long walk by the river with Zoe\u{308} 🌧️.",
    "Cafe\u{301} cre\u{300}me and a croissant / a quiet hour.",
    "Deadline moved again; I said \"fine\" and wasn't.",
    "Family day 👨‍👩‍👧‍👦 at the lake.",
    "Headache since noon, water helped.",
    "Ran 5 km in 27:40 🏃🏽‍♀️!",
    "Called my mother.\nWe laughed a lot.",
    "Too much coffee\tand too little lunch.",
    "今日は静かな一日だった。",
    "Читала до полуночи.",
    "Nothing special, and that was good.",
    "Path C:\\notes\\today is full of old plans.",
    "50% done, 50% to go & no hurry <yet>.",
    "A\u{30A}ngstro\u{308}m units all afternoon.",
    "Flag day 🇧🇷 🇵🇹, music until late.",
    "Grateful for rain, bread, and e\u{302}tre la\u{300}.",
    "Argued/made up; the usual.",
  ]

  static let titles = [
    "Morning pages", "A better week", "Run 10 km", "Read more / scroll less", "Zazen \u{1F9D8}",
    "Cafe\u{301} notes", "Sleep by eleven", "Call home", "\"No\" is an answer", "Été",
  ]

  /// Quantities as users type them and as food services return them.
  ///
  /// First numbers in many spellings, then texts that aren't a single number.
  static let quantities = [
    "250 g", "2,5 dl", "1 1/2 cup", "1½", "100g", "1.5 kg", "3", "½ cup", "1/3", "¾ tsp", "+2 g",
    "-1 g", ".5 oz", "0,25 l", "  12 fl oz ", "250\u{A0}g", "1½cups", "2 1/4", "0", "0 g",
    "1 large",
    "1.000 g", "1,000 g", "2-3 slices", "2–3 Scheiben", "2 x 30 g", "~ 200 ml", "a handful", "some",
    "", "   ", "1e3 mg", "1 1/0 cup", "1.5.2 g", "5. g", "½ ½", "1 e\u{301}tui", "٣ g", "/2 g", "g",
  ]

  static let wordLists: [[String]] = [
    [], ["calm"], ["happy", "grateful"], ["work", "family"], ["anxious", "tired", "hopeful"],
    ["friends 👯‍♀️"], ["naïve", "nai\u{308}ve"], ["a/b", "c\\d", "\"q\""], ["sad"],
    ["excited", "proud"],
    ["health", "fitness", "identity", "spirituality"], ["peanuts", "shellfish"], ["vegan"],
    ["lactose"],
    ["reflection", "2024", "été"], [""],
  ]

  /// The lists as SwiftData stores them (`StoreFormat.md` §12).
  static let archivedLists: [WordList] = wordLists.map { words in
    let value = ModelValue.array(words.map { .string($0) })
    return WordList(words: words, archive: KeyedArchive(value: value).propertyList.binary())
  }

  private static let sentenceBytes = sentences.map { Array($0.utf8) }

  static func prose(_ range: ClosedRange<Int>, _ random: inout RandomSource) -> [UInt8] {
    var text: [UInt8] = []
    for index in 0..<random.integer(range) {
      if index > 0 { text.append(UInt8(ascii: " ")) }
      text += random.pick(sentenceBytes)
    }
    return text
  }

  static func json(_ random: inout RandomSource) -> [UInt8] {
    Array(
      """
      {"version":\(random.integer(1...3)),"total":\(random.below(500)),"average":\
      \(Double(random.below(200) - 100) / 100),"days":[\(random.below(7)),\(random.below(7))],\
      "note":"\(random.pick(titles).filter { $0 != "\"" })"}
      """.utf8)
  }

  static func token(_ random: inout RandomSource) -> [UInt8] {
    Array("fixture.\(random.next()).\(random.next())".utf8)
  }
}

/// A list of words, and its archived form.
struct WordList: Sendable {
  let words: [String]
  let archive: [UInt8]
}
