import ReqcliText

/// The result of looking something up by name.
package enum Lookup<Value: Sendable>: Sendable {
    case found(Value)
    /// The file that defines it can't be read.
    case broken
    case missing(NotFound)
}

/// A name on the command line or in a file that doesn't exist, or a workspace that was not found.
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
    /// The names in a hint: all if there are few, otherwise the first ones.
    var listed: String {
        let shown = count <= 12 ? self : Array(prefix(10))
        let rest = count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
