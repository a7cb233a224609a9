import SourceText

/// What came of looking for something by name.
package enum Lookup<Value: Sendable>: Sendable {
    case found(Value)
    /// The files that hold it are broken.
    case broken
    case missing(NotFound)
}

/// Something named on the command line, or in a file, that isn't there.
package struct NotFound: Error, Equatable {
    package let message: String
    package let hint: String?

    package init(message: String, hint: String?) {
        self.message = message
        self.hint = hint
    }

    func diagnostic(_ code: Diagnostic.Code, at place: Place?) -> Diagnostic {
        Diagnostic(code: code, message, at: place, hint: hint)
    }
}

extension [String] {
    /// The names as a hint lists them: all of a few, the first of many.
    var listed: String {
        let shown = count <= 12 ? self : Array(prefix(10))
        let rest = count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
