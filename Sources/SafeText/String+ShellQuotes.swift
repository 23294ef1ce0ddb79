extension String {
  /// The text of a word of a shell, without its quotes and backslashes.
  package var withoutShellQuotes: String {
    var (text, quote, place) = ("", nil as Character?, startIndex)
    while place < endIndex {
      let character = self[place]
      place = index(after: place)
      if character == "\\", quote != "'", place < endIndex,
        quote == nil || "$`\"\\\n".contains(self[place])
      {
        text.append(self[place])
        place = index(after: place)
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        text.append(character)
      }
    }
    return text
  }
}
