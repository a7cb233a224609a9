package import ReqcliText

/// An error about a source that can't be read: diagnostics with places, or a mistake in the command line.
package struct ImportProblem: Error {
    package let diagnostics: [Diagnostic]
    /// Whether the mistake is in the command line: the source can be read, but has nothing to import or isn't in the given
    /// format.
    package let isUsage: Bool

    package init(_ diagnostics: [Diagnostic], isUsage: Bool = false) {
        self.diagnostics = diagnostics
        self.isUsage = isUsage
    }

    package init(_ message: String, at place: Place?, hint: String? = nil, isUsage: Bool = false) {
        self.init([Diagnostic(code: .sourceUnreadable, message, at: place, hint: hint)], isUsage: isUsage)
    }
}

extension Diagnostic.Code {
    /// A source of `import` that is invalid, or from which no endpoint can be made.
    package static let sourceUnreadable: Self = "import.source"
}
