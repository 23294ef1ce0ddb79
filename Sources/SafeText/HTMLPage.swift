import JSONText
import Platform

/// A self-contained page: it loads nothing, and works without its script.
package struct HTMLPage {
  private let title: String
  private let body: HTML

  package init(title: String, body: HTML) {
    self.title = title
    self.body = body
  }

  /// The whole file, without a trailing newline.
  package var text: String {
    let page = HTML("html", ["lang": "en"]) {
      HTML("head") {
        HTML("meta", ["charset": "utf-8"])
        HTML("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
        HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        HTML("meta", ["name": "color-scheme", "content": "light dark"])
        HTML("title") { title }
        HTML.verbatim("style", Self.styleSheet)
      }
      HTML("body") {
        body
        HTML.verbatim("script", Self.script)
      }
    }
    return "<!doctype html>\n" + page.text
  }

  /// The content security policy: only the page's own style sheet and script, by their hashes.
  ///
  /// See <https://www.w3.org/TR/CSP3/#match-element-to-source-list>.
  private static var policy: String {
    let (style, script) = (hash(of: styleSheet), hash(of: Self.script))
    return "default-src 'none'; style-src '\(style)'; script-src '\(script)'; base-uri 'none'; "
      + "form-action 'none'"
  }

  private static func hash(of text: String) -> String {
    "sha256-" + base64Encoded(sha256(Array(text.utf8)))
  }
}
