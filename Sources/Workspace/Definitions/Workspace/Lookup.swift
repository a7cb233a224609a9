import ReqcliText

/// The result of looking something up by name.
package enum Lookup<Value: Sendable>: Sendable {
    case found(Value)
    /// The file with the definition can't be read.
    case broken
    case missing(NotFound)
}

/// An unknown name on the command line or in a file, or a workspace that was not found.
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
    /// The names for a hint: all names if there are few, otherwise only the first names.
    var listed: String {
        let shown = count <= 12 ? self : Array(prefix(10))
        let rest = count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
