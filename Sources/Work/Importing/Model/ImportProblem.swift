package import ReqcliText

/// A source that can't be read: diagnostics with places, or a mistake in how it was named.
package struct ImportProblem: Error {
    package let diagnostics: [Diagnostic]
    /// Whether the source can be read and has nothing to import, or isn't of this format.
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
    /// A source of `import` that is broken, or that holds what no endpoint can be made of.
    package static let sourceUnreadable: Self = "import.source"
}
