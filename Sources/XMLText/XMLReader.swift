import CExpat
import JSONText

/// Builds the elements of a document from Expat's calls.
final class XMLReader {
  private let limits: XMLLimits
  private let parser: XML_Parser

  /// The elements whose end tags are still to come, outermost first.
  private var open: [XMLElement] = []

  private var elementCount = 0

  /// The root element, once its end tag was read.
  private(set) var root: XMLElement?

  /// The first error.
  private(set) var error: XMLError?

  /// Creates a reader; the result is `nil` if there isn't enough memory.
  init?(limits: XMLLimits) {
    // The encoding stands over the one that a document declares.
    guard let parser = XML_ParserCreate("UTF-8") else { return nil }
    (self.limits, self.parser) = (limits, parser)
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    setCalls()
  }

  deinit { XML_ParserFree(parser) }

  /// Parses a document, up to the first error.
  func parse(_ bytes: [UInt8]) {
    guard let count = Int32(exactly: bytes.count) else { return stop("the text is too long") }
    let status = bytes.withUnsafeBytes {
      XML_Parse(parser, $0.assumingMemoryBound(to: CChar.self).baseAddress, count, 1)
    }
    guard status != XML_STATUS_OK else { return }
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
    stop("the text isn't XML: " + (reason ?? "unknown error"))
  }

  private func setCalls() {
    XML_SetElementHandler(
      parser,
      { reader, name, attributes in XMLReader.of(reader)?.begin(name, attributes) },
      { reader, _ in XMLReader.of(reader)?.end() })
    XML_SetCharacterDataHandler(parser) { XMLReader.of($0)?.add($1, Int($2)) }
    XML_SetXmlDeclHandler(parser) { reader, _, encoding, _ in
      XMLReader.of(reader)?.checkEncoding(encoding)
    }
    XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, hasDeclarations in
      XMLReader.of(reader)?.checkDocumentType(hasDeclarations: hasDeclarations != 0)
    }
    // Without its declarations, a document type may have any entity.
    XML_SetSkippedEntityHandler(parser) { reader, _, _ in
      XMLReader.of(reader)?.stop("an entity isn't defined")
    }
  }

  /// Returns the reader of a parser's call; `nil` after an error.
  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
    // Expat makes a last call or two after it was told to stop.
    context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
      .flatMap { $0.error == nil ? $0 : nil }
  }

  /// Ends the parsing with an error, unless there is one.
  private func stop(_ reason: String) {
    guard error == nil else { return }
    error = XMLError(position: position, reason: reason)
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  /// The position of the tag, or of the error, that the parser is at.
  private var position: TextPosition {
    TextPosition(
      line: Int(XML_GetCurrentLineNumber(parser)),
      column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
  }

  /// Refuses a declared encoding other than UTF-8: some texts mean something else in it.
  private func checkEncoding(_ name: UnsafePointer<XML_Char>?) {
    guard let name = name.map({ String(cString: $0) }), name.lowercased() != "utf-8" else { return }
    stop("the declared encoding is '\(name)'; save the text as UTF-8")
  }

  /// Refuses a document type that isn't allowed, or that has declarations, before one is read.
  private func checkDocumentType(hasDeclarations: Bool) {
    if !limits.allowsDocumentType {
      stop("a document type declaration isn't allowed; remove it")
    } else if hasDeclarations {
      stop("declarations in the document type aren't allowed; remove them")
    }
  }

  private func begin(
    _ name: UnsafePointer<XML_Char>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    elementCount += 1
    if elementCount > limits.elementCount {
      stop("the text has more than \(limits.elementCount) elements")
    } else if open.count >= limits.depth {
      stop("nested too deeply; the limit is \(limits.depth) levels")
    } else {
      open.append(
        XMLElement(
          name: name.map { String(cString: $0) } ?? "",
          attributes: attributes.map(Self.attributes) ?? [], position: position))
    }
  }

  /// Returns the attributes of a start tag: names and values in turns, up to a null pointer.
  private static func attributes(
    _ parts: UnsafeMutablePointer<UnsafePointer<XML_Char>?>
  ) -> [XMLElement.Attribute] {
    var attributes: [XMLElement.Attribute] = []
    var part = parts
    while let name = part[0], let value = part[1] {
      part += 2
      let name = String(cString: name)
      guard name != "xmlns", !name.hasPrefix("xmlns:") else { continue }
      attributes.append(XMLElement.Attribute(name: name, value: String(cString: value)))
    }
    return attributes
  }

  private func end() {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private func add(_ text: UnsafePointer<XML_Char>?, _ count: Int) {
    guard !open.isEmpty else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : count)
    open[open.count - 1].content += bytes
  }
}
