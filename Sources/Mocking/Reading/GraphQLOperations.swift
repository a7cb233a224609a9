import ASCII

/// The operations of a GraphQL document.
struct GraphQLOperations {
    /// Nil for an operation without a name.
    private var names: [String?] = []
    /// Whether a definition has begun.
    private var isOpen = false

    init(_ document: String) {
        var depth = 0
        var rest = Array(document.utf8)[...]
        var isName = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "#"): rest = rest.drop { $0 != .lineFeed && $0 != .carriageReturn }
            case UInt8(ascii: "\""): Self.skipText(&rest)
            case .openBrace, UInt8(ascii: "("):
                if depth == 0, byte == .openBrace, !isOpen { names.append(nil) }
                isName = false
                depth += 1
            case .closeBrace, UInt8(ascii: ")"):
                depth -= 1
                if depth == 0, byte == .closeBrace { isOpen = false }
            case _ where depth == 0 && (byte.isLetter || byte == UInt8(ascii: "_")):
                let word = [byte] + rest.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
                rest = rest.dropFirst(word.count - 1)
                if isName {
                    names[names.count - 1] = String(decoding: word, as: UTF8.self)
                    isName = false
                } else if !isOpen {
                    isOpen = true
                    isName = ["query", "mutation", "subscription"].contains(String(decoding: word, as: UTF8.self))
                    if isName { names.append(nil) }
                }
            // A directive.
            case UInt8(ascii: "@"): isName = false
            default: break
            }
        }
    }

    /// The name of the operation, if there is only one.
    var onlyName: String? { names.count == 1 ? names[0] : nil }

    /// Skips a text up to its closing quotes, of which a block text has three.
    private static func skipText(_ rest: inout ArraySlice<UInt8>) {
        let quote = UInt8(ascii: "\"")
        let isBlock = rest.starts(with: [quote, quote])
        if isBlock { rest = rest.dropFirst(2) }
        while let byte = rest.popFirst() {
            if byte == .backslash {
                _ = rest.popFirst()
            } else if byte == quote, !isBlock || rest.starts(with: [quote, quote]) {
                if isBlock { rest = rest.dropFirst(2) }
                return
            }
        }
    }
}
