import ReqcliBasics

/// Turns names from the workspace's files into Swift names.
enum SwiftNames {
    /// The name of a type: `user-feed` becomes `UserFeed`.
    ///
    /// - Parameter role: A word to put before a name that begins with a digit, and after a name that has another meaning in Swift.
    /// - Parameter isTopLevel: Whether apps use the name without the name of another type. If so, it isn't the name of a type of
    ///   Swift or Foundation.
    static func type(_ name: String, role: String, isTopLevel: Bool = false) -> String {
        let joined = words(of: name).map(capitalized).joined()
        if joined.isEmpty || joined.utf8.first?.isDigit == true { return role + joined }
        return takenTypes.contains(joined) || isTopLevel && wellKnownTypes.contains(joined) ? joined + role : joined
    }

    /// The name of a property, a parameter or a case: `max-results` becomes `maxResults`, and `ID` becomes `id`. Without
    /// backticks.
    static func value(_ name: String, role: String, taken: Set<String> = []) -> String {
        let words = words(of: name)
        let joined = (words.first.map(uncapitalized) ?? "") + words.dropFirst().map(capitalized).joined()
        if joined.isEmpty || joined.utf8.first?.isDigit == true { return role + joined }
        let isTaken = taken.contains(joined) || ["self", "Self", "Type", "Protocol", "init"].contains(joined)
        return isTaken ? joined + capitalized(role) : joined
    }

    /// The name as it is written in code.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static func words(of name: String) -> [String] {
        name.utf8.split { !$0.isAlphanumeric }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// The word with a lowercase beginning: `userID` for `UserID`, `id` for `ID`, `httpCode` for `HTTPCode`.
    private static func uncapitalized(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count == word.count || capitals.count < 2 {
            return capitals.lowercased() + word.dropFirst(capitals.count)
        }
        // The last capital begins the next word, unless a digit follows the capitals.
        let count = word.dropFirst(capitals.count).first?.isNumber == true ? capitals.count : capitals.count - 1
        return word.prefix(count).lowercased() + word.dropFirst(count)
    }

    /// Names that already mean something else where generated types are declared.
    private static let takenTypes: Set<String> = [
        "Any", "AnyObject", "Array", "Bool", "CaseIterable", "CodingKeys", "Data", "Date", "Decodable", "Double",
        "Duration",
        "Encodable",
        "EndpointCall", "Error", "Float", "Hashable", "Int", "JSONLiteral", "MultipartBody", "Never", "Optional",
        "Account", "PathText",
        "PercentEncoding", "PreparedRequest", "Protocol", "ProxySettings", "RequestBuilder",
        "RequestValues",
        "Response", "Result", "Self", "Sendable", "Set", "String", "Stub", "StubVariant", "Type", "URL", "Value",
        "Variant", "Void",
        "Character",
        "Codable", "Foundation", "Exchange", "RequestBuilding", "Swift", "Substring", "Dictionary", "HeaderFields",
        "HTTPMethod",
    ]

    /// Types of Swift, Foundation and the libraries that an app names alone.
    private static let wellKnownTypes: Set<String> = [
        "Actor", "Bundle", "Calendar", "Category", "Clock", "Collection", "Comparable", "Cookie", "DateFormatter",
        "DateInterval", "Decimal", "Dimension", "Equatable", "Formatter", "Host", "Identifiable", "Identifier",
        "IndexPath", "Iterator", "Locale", "Measurement", "Message", "Method", "Middleware", "Mirror", "Module",
        "Notification", "Operation", "OperationQueue", "Operator", "Options", "Origin", "Port", "Process", "Progress",
        "Range", "Regex", "Request", "Scanner", "Selector", "Sequence", "Stream", "Task", "Thread", "TimeZone",
        "Timer", "Transport", "UUID", "Unicode", "Unit", "URLRequest", "URLResponse", "URLSession",
    ]

    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
        "internal", "let",
        "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static", "struct",
        "subscript",
        "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough",
        "for", "guard",
        "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as", "await", "false", "is", "nil",
        "self",
        "Self", "super", "throws", "true", "try", "async", "package", "some", "any", "actor", "macro", "each", "repeat",
        "consume",
        "copy", "borrowing", "consuming", "nonisolated", "isolated", "sending", "discard", "then",
    ]
}
