import ReqcliBasics

/// The operations of a GraphQL document.
package struct GraphQLOperations {
    private struct Operation {
        let isMutation: Bool
        var name: String?
    }

    private var operations: [Operation] = []
    /// Whether a definition has begun and has not ended yet.
    private var isOpen = false

    package init(_ document: String) {
        var depth = 0
        var rest = Array(document.utf8)[...]
        var isName = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "#"): rest = rest.drop { $0 != .lineFeed && $0 != .carriageReturn }
            case UInt8(ascii: "\""): Self.skipText(&rest)
            case .openBrace, UInt8(ascii: "("):
                if depth == 0, byte == .openBrace, !isOpen { operations.append(Operation(isMutation: false)) }
                isName = false
                depth += 1
            case .closeBrace, UInt8(ascii: ")"):
                depth -= 1
                if depth == 0, byte == .closeBrace { isOpen = false }
            case _ where depth == 0 && (byte.isLetter || byte == UInt8(ascii: "_")):
                let tail = rest.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
                rest = rest.dropFirst(tail.count)
                let word = String(decoding: [byte] + tail, as: UTF8.self)
                if isName {
                    operations[operations.count - 1].name = word
                    isName = false
                } else if !isOpen {
                    isOpen = true
                    isName = ["query", "mutation", "subscription"].contains(word)
                    if isName { operations.append(Operation(isMutation: word == "mutation")) }
                }
            // A directive begins, so the next word is not the name of the operation.
            case UInt8(ascii: "@"): isName = false
            default: break
            }
        }
    }

    /// The name of the operation, if there is only one.
    package var onlyName: String? { operations.count == 1 ? operations[0].name : nil }

    /// Whether the operation with this name only reads; without a name, whether all operations only read. False if there is no
    /// such operation.
    package func onlyReads(named name: String?) -> Bool {
        let chosen = name.map { name in operations.filter { $0.name == name } } ?? operations
        return !chosen.isEmpty && chosen.allSatisfy { !$0.isMutation }
    }

    /// Skips a string up to its closing quote, or a block string up to its three closing quotes.
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
