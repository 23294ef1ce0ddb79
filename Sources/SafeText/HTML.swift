/// A fragment of an HTML page.
///
/// Text is always escaped, so that a name can't inject markup.
package struct HTML: Hashable, Sendable {
  /// The markup.
  package let text: String

  fileprivate init(markup: String) { text = markup }

  /// Creates escaped text.
  package init(_ content: String) {
    text = content.printable.htmlEscaped
  }

  /// Creates an element with attributes and content.
  package init(
    _ name: StaticString, _ attributes: KeyValuePairs<String, String> = [:],
    @HTMLBuilder content: () -> HTML = { HTML(markup: "") }
  ) {
    let list = attributes.map { " \($0.key)=\"\($0.value.printable.htmlEscaped)\"" }.joined()
    let tag = "\(name)"
    let isVoid = ["meta", "input"].contains(tag)
    let end = isVoid ? "" : "\(content().text)</\(tag)>"
    let isBlock = !["b", "code", "i", "span", "small", "th", "td"].contains(tag)
    text = "<\(tag)\(list)>\(end)" + (isBlock ? "\n" : "")
  }

  /// Creates a `style` or `script` element; the content isn't escaped.
  package static func verbatim(_ name: StaticString, _ content: String) -> HTML {
    HTML(markup: "<\(name)>\(content)</\(name)>\n")
  }
}

/// Concatenates fragments.
@resultBuilder package enum HTMLBuilder {
  package static func buildExpression(_ piece: HTML) -> HTML { piece }
  package static func buildExpression(_ pieces: [HTML]) -> HTML { buildArray(pieces) }
  package static func buildExpression(_ text: String) -> HTML { HTML(text) }
  package static func buildBlock(_ pieces: HTML...) -> HTML { buildArray(pieces) }
  package static func buildArray(_ pieces: [HTML]) -> HTML {
    HTML(markup: pieces.map(\.text).joined())
  }
  package static func buildOptional(_ piece: HTML?) -> HTML { piece ?? HTML(markup: "") }
  package static func buildEither(first piece: HTML) -> HTML { piece }
  package static func buildEither(second piece: HTML) -> HTML { piece }
}

extension String {
  fileprivate var htmlEscaped: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
