import ReqcliBasics

extension YAMLReader {
    var isAtProperties: Bool { current == UInt8(ascii: "&") || current == UInt8(ascii: "!") }

    static func isFlowIndicator(_ byte: UInt8) -> Bool {
        switch byte {
        case .comma, .openBracket, .closeBracket, .openBrace, .closeBrace: true
        default: false
        }
    }

    /// Reads the anchor and the tag of a node, if they are on this line.
    mutating func properties(inFlow: Bool = false) throws(Stop) -> YAMLProperties {
        var all = YAMLProperties()
        repeat {
            let start = position
            var one = YAMLProperties()
            if current == UInt8(ascii: "!") {
                one.tag = try tag()
            } else {
                position += 1
                one.anchor = try name("an anchor")
            }
            one.range = start..<position
            lastEnd = position
            guard isBlank(position) || inFlow && Self.isFlowIndicator(current) else {
                throw stop("expected a space after \(shown(start..<position))")
            }
            all = try joined(all, one)
            skipBlanks()
        } while isAtProperties
        return all
    }

    /// Combines the properties of a node that are in two places.
    mutating func joined(_ one: YAMLProperties, _ other: YAMLProperties) throws(Stop) -> YAMLProperties {
        guard let range = other.range else { return one }
        guard let first = one.range else { return other }
        if one.anchor != nil && other.anchor != nil || one.tag != nil && other.tag != nil {
            throw stop(
                "a value can have only one \(one.anchor != nil && other.anchor != nil ? "anchor" : "tag"), found a second one",
                range,
                hint: "remove one", related: ("the first one", first))
        }
        return YAMLProperties(
            anchor: one.anchor ?? other.anchor, tag: one.tag ?? other.tag,
            range: first.lowerBound..<range.upperBound)
    }

    /// Reads the name of an anchor or alias.
    private mutating func name(_ owner: String) throws(Stop) -> Range<Int> {
        let start = position
        while !isBlank(position), !Self.isFlowIndicator(current) { position += 1 }
        if position == start { throw stop("\(owner) needs a name") }
        return start..<position
    }

    // MARK: Tags

    private mutating func tag() throws(Stop) -> YAMLTag {
        let start = position
        var uri: String
        if byte(position + 1) == UInt8(ascii: "<") {
            while !isBlank(position), current != UInt8(ascii: ">") { position += 1 }
            guard current == UInt8(ascii: ">") else {
                throw stop("this tag is never closed", start..<position, hint: "add the closing >")
            }
            uri = String(decoding: bytes[start + 2..<position], as: UTF8.self)
            position += 1
        } else {
            while !isBlank(position), !Self.isFlowIndicator(current) { position += 1 }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            if text == "!" { return YAMLTag(name: .unspecific, range: start..<position) }
            // The handle ends with the second `!`. If there is no second `!`, the handle is the first `!`.
            let handle = text.dropFirst().firstIndex(of: "!").map { text[...$0] } ?? "!"
            let prefix = tagPrefixes[String(handle)] ?? (handle == "!!" ? Self.corePrefix : String(handle))
            if handle.count > 2, tagPrefixes[String(handle)] == nil {
                throw stop("no %TAG directive defines \(handle)", start..<position)
            }
            if text.count == handle.count { throw stop("this tag has no name", start..<position) }
            uri = prefix + text.dropFirst(handle.count)
        }
        let range = start..<position
        if uri.hasPrefix(Self.corePrefix),
            let name = YAMLTag.Name(rawValue: String(uri.dropFirst(Self.corePrefix.count))),
            name != .unknown, name != .unspecific
        {
            return YAMLTag(name: name, range: range)
        }
        report(
            "the tag \(shown(range)) is not supported", range,
            hint: "remove it; known are !!str, !!int, !!float, !!bool, !!null, !!map and !!seq", code: .yamlUnsupported)
        return YAMLTag(name: .unknown, range: range)
    }

    private static let corePrefix = "tag:yaml.org,2002:"

    // MARK: Anchors and aliases

    private func anchorName(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func setAnchor(_ properties: YAMLProperties, _ anchor: YAMLAnchor) {
        if let name = properties.anchor { anchors.byName[anchorName(name)] = anchor }
    }

    /// Completes the anchor of a container, unless another anchor with the same name has been read since then.
    mutating func completeAnchor(_ name: Range<Int>, of index: Int, size: Int, height: Int) {
        let name = anchorName(name)
        guard let anchor = anchors.byName[name], anchor.isOpen, anchor.start == index else { return }
        anchors.byName[name]?.isOpen = false
        anchors.byName[name]?.size = UInt32(clamping: size)
        anchors.byName[name]?.height = UInt16(clamping: height)
    }

    /// Reads an alias.
    mutating func alias(_ properties: YAMLProperties) throws(Stop) -> YAMLNode {
        let start = position
        if let range = properties.range {
            throw stop("an alias can't have an anchor or a tag", range, hint: "remove it")
        }
        position += 1
        let name = try name("an alias")
        let range = start..<position
        lastEnd = position
        guard let anchor = anchors.byName[anchorName(name)] else {
            report(
                "there is no anchor &\(shown(name)) before this alias", range,
                hint: "put text that begins with * in quotes", code: .yamlAlias)
            return YAMLNode(.invalid, range)
        }
        if anchor.isOpen {
            report("the alias \(shown(range)) is inside the value that it refers to", range, code: .yamlAlias)
            return YAMLNode(.invalid, range)
        }
        return YAMLNode(.alias(anchor), range)
    }
}
