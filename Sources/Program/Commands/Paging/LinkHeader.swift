import ReqcliBasics

/// Reads the header `Link` (RFC 8288).
enum LinkHeader {
    /// The target of the first link with this relation; nil if there is no such link.
    static func target(of relation: String, in values: [String]) -> String? {
        for value in values {
            var rest = Array(value.utf8)[...]
            while let link = nextLink(&rest) {
                if link.relations.contains(relation.lowercased()) { return link.target }
            }
        }
        return nil
    }

    /// Removes the next link from the bytes and returns it; nil if there is no further link.
    private static func nextLink(_ rest: inout ArraySlice<UInt8>) -> (target: String, relations: [String])? {
        rest = rest.drop { $0.isSpaceOrTab || $0 == .comma }
        guard rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let target = String(decoding: rest[rest.startIndex + 1..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        var relations: [String]?
        while let mark = rest.first(where: { !$0.isSpaceOrTab }), mark == UInt8(ascii: ";") {
            rest = rest.drop(while: \.isSpaceOrTab).dropFirst().drop(while: \.isSpaceOrTab)
            let name = rest.prefix { $0.isTokenByte }
            rest = rest.dropFirst(name.count).drop(while: \.isSpaceOrTab)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isSpaceOrTab)
            let text = value(&rest)
            // Only the first parameter `rel` counts.
            if relations == nil, String(decoding: name, as: UTF8.self).lowercased() == "rel" {
                relations = text.lowercased().split(separator: " ").map(String.init)
            }
        }
        // Everything up to the next comma belongs to this link.
        rest = rest.drop { $0 != .comma }
        return (target, relations ?? [])
    }

    /// A token or a quoted string.
    private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
        guard rest.first == .quote else {
            let token = rest.prefix { !$0.isSpaceOrTab && $0 != .comma && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(token.count)
            return String(decoding: token, as: UTF8.self)
        }
        rest = rest.dropFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != .quote {
            text.append(byte == .backslash ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
