package import ReqcliText

/// A mistake in the text of a path.
package struct JSONPathProblem: Error, Equatable {
    package let code: Diagnostic.Code
    package let message: String
    /// The place of the mistake, as UTF-8 offsets in the path.
    package let range: Range<Int>
    package let hint: String?

    init(_ message: String, _ range: Range<Int>, hint: String? = nil, code: Diagnostic.Code = .jsonPathSyntax) {
        self.code = code
        self.message = message
        self.range = range
        self.hint = hint
    }

    /// The problem as a diagnostic, with its place inside the JSON string that contains the path.
    package func diagnostic(_ severity: Diagnostic.Severity = .error, in string: JSONValue) -> Diagnostic {
        Diagnostic(severity, code: code, message, at: string.place(ofText: range), hint: hint)
    }
}

/// All problems of a path, from left to right.
package struct JSONPathError: Error, Equatable {
    package let problems: [JSONPathProblem]
}

/// A path that would take too long on a document.
package struct JSONPathLimit: Error, Equatable {
    package let steps: Int

    package var message: String {
        "the path takes more than \(steps) steps on this document; use fewer \"..\" and fewer filters inside filters"
    }
}

extension Diagnostic.Code {
    package static let jsonPathSyntax: Self = "jsonpath.syntax"
    /// A type error: a value instead of a condition, several nodes instead of one, or wrong arguments.
    package static let jsonPathType: Self = "jsonpath.type"
    package static let jsonPathPattern: Self = "jsonpath.pattern"
}

extension [JSONPathProblem] {
    var sortedByPlace: Self { sorted { $0.range.lowerBound < $1.range.lowerBound } }
}
