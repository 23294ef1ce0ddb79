import CXML

/// Builds the elements of a document from libxml2's calls.
final class XMLReader {
  private let bytes: [UInt8]
  private let limits: XMLLimits

  /// The elements whose end tags are still to come, outermost first.
  private var open: [XMLElement] = []

  private var elementCount = 0

  /// The line that the last tag was on: its number, and the offset of its first byte.
  ///
  /// Tags come in order, so counting lines takes linear time.
  private var line = (number: 1, start: 0)

  /// The offset up to which lines are counted.
  private var counted = 0

  /// The root element, once its end tag was read.
  private(set) var root: XMLElement?

  /// The first error.
  private(set) var error: XMLError?

  init(bytes: [UInt8], limits: XMLLimits) { (self.bytes, self.limits) = (bytes, limits) }

  /// Parses the document, up to the first error.
  func parse() {
    guard let parser = xmlNewParserCtxt(), let count = Int32(exactly: bytes.count) else {
      error = XMLError(position: .start, reason: "there isn't enough memory for the text")
      return
    }
    defer { xmlFreeParserCtxt(parser) }
    parser.pointee._private = Unmanaged.passUnretained(self).toOpaque()
    if let calls = parser.pointee.sax { setCalls(&calls.pointee) }
    // Without `NOENT`, values would contain '&#38;' in place of '&'.
    let options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue
    bytes.withUnsafeBytes { text in
      let document = xmlCtxtReadMemory(
        parser, text.bindMemory(to: CChar.self).baseAddress, count, nil, nil, Int32(options))
      if let document { xmlFreeDoc(document) }
    }
    if error == nil, parser.pointee.wellFormed == 0 {
      error = XMLError(position: .start, reason: "the text isn't XML")
    }
  }

  private func setCalls(_ calls: inout xmlSAXHandler) {
    calls.startElementNs = { parser, name, prefix, _, _, _, count, _, attributes in
      guard let (reader, parser) = XMLReader.of(parser) else { return }
      let name = XMLReader.name(name, prefix)
      reader.begin(name, XMLReader.attributes(attributes, count: Int(count)), parser)
    }
    calls.endElementNs = { parser, _, _, _ in XMLReader.of(parser)?.0.end() }
    calls.characters = { parser, text, count in XMLReader.of(parser)?.0.add(text, Int(count)) }
    calls.cdataBlock = { parser, text, count in XMLReader.of(parser)?.0.add(text, Int(count)) }
    calls.internalSubset = { parser, _, _, _ in
      guard let (reader, parser) = XMLReader.of(parser) else { return }
      reader.checkDocumentType(parser)
    }
    calls.externalSubset = nil
    // Without its declarations, a document type may have any entity.
    calls.reference = { parser, _ in
      guard let (reader, parser) = XMLReader.of(parser) else { return }
      reader.stop("an entity isn't defined", parser)
    }
    calls.comment = nil
    calls.processingInstruction = nil
    calls.serror = { parser, error in
      guard let (reader, parser) = XMLReader.of(parser), let problem = error?.pointee,
        problem.level != XML_ERR_WARNING
      else { return }
      let message = problem.message.map { String(cString: $0) } ?? ""
      let place = XMLPosition(line: max(1, Int(problem.line)), column: max(1, Int(problem.int2)))
      reader.stop("the text isn't XML: " + message.filter { $0 != "\n" }, parser, at: place)
    }
  }

  /// Returns the reader of a parser's call, and the parser.
  private static func of(_ context: UnsafeMutableRawPointer?) -> (XMLReader, xmlParserCtxtPtr)? {
    guard let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self),
      let reader = parser.pointee._private
    else { return nil }
    return (Unmanaged<XMLReader>.fromOpaque(reader).takeUnretainedValue(), parser)
  }

  /// Ends the parsing with an error, unless there is one.
  private func stop(_ reason: String, _ parser: xmlParserCtxtPtr, at place: XMLPosition? = nil) {
    if error == nil { error = XMLError(position: place ?? position(parser), reason: reason) }
    xmlStopParser(parser)
  }

  /// Returns the position of the tag that the parser is in.
  ///
  /// It has read at most the tag's last attribute, and values can't contain `<`.
  private func position(_ parser: xmlParserCtxtPtr) -> XMLPosition {
    let end = max(0, min(Int(xmlByteConsumed(parser)), bytes.count))
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "<")) ?? 0
    while counted < start {
      if bytes[counted] == UInt8(ascii: "\n") { line = (line.number + 1, counted + 1) }
      counted += 1
    }
    return XMLPosition(line: line.number, column: max(0, start - line.start) + 1)
  }

  /// Refuses a document type that isn't allowed, or that has declarations.
  ///
  /// The call comes before the declarations are read. They begin with `[`.
  private func checkDocumentType(_ parser: xmlParserCtxtPtr) {
    let next = parser.pointee.input?.pointee.cur?.pointee
    if !limits.allowsDocumentType {
      stop("a document type declaration isn't allowed; remove it", parser)
    } else if next == UInt8(ascii: "[") {
      stop("declarations in the document type aren't allowed; remove them", parser)
    }
  }

  private func begin(
    _ name: String, _ attributes: [XMLElement.Attribute], _ parser: xmlParserCtxtPtr
  ) {
    elementCount += 1
    if elementCount > limits.elementCount {
      stop("the text has more than \(limits.elementCount) elements", parser)
    } else if open.count >= limits.depth {
      stop("nested too deeply; the limit is \(limits.depth) levels", parser)
    } else {
      open.append(XMLElement(name: name, attributes: attributes, position: position(parser)))
    }
  }

  private func end() {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private func add(_ text: UnsafePointer<xmlChar>?, _ count: Int) {
    guard !open.isEmpty else { return }
    open[open.count - 1].content += UnsafeBufferPointer(start: text, count: text == nil ? 0 : count)
  }
}

extension XMLReader {
  private static func name(
    _ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?
  ) -> String {
    (prefix.map { String(cString: $0) + ":" } ?? "") + (name.map { String(cString: $0) } ?? "")
  }

  /// Returns the attributes of a start tag.
  ///
  /// Each has five pointers: name, prefix, namespace, start of the value, and end of the value.
  private static func attributes(
    _ parts: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) -> [XMLElement.Attribute] {
    guard let parts else { return [] }
    return (0..<count).map { index in
      let part = parts + 5 * index
      let value = part[3].flatMap { start in
        part[4].map { UnsafeBufferPointer(start: start, count: $0 - start) }
      }
      return XMLElement.Attribute(
        name: name(part[0], part[1]),
        value: value.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
  }
}
