import ReqcliBasics

/// The variables of a GraphQL document.
package enum GraphQLVariables {
    /// The names after each `$` outside comments and strings.
    package static func names(in document: String) -> Set<String> {
        var names: Set<String> = []
        var rest = Array(document.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "#"): rest = rest.drop { $0 != .lineFeed && $0 != .carriageReturn }
            case UInt8(ascii: "\""): skipString(&rest)
            case UInt8(ascii: "$"):
                let name = rest.prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
                names.insert(String(decoding: name, as: UTF8.self))
                rest = rest.dropFirst(name.count)
            default: continue
            }
        }
        return names
    }

    /// Skips the rest of a string or of a block string. A block string begins and ends with three quotes.
    private static func skipString(_ rest: inout ArraySlice<UInt8>) {
        let quotes = Array("\"\"".utf8)
        let isBlock = rest.starts(with: quotes)
        if isBlock { rest = rest.dropFirst(2) }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                rest = rest.dropFirst()
            } else if byte == UInt8(ascii: "\""), !isBlock || rest.starts(with: quotes) {
                if isBlock { rest = rest.dropFirst(2) }
                return
            }
        }
    }
}
