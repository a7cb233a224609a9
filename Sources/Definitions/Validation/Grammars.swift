package import SourceText

/// The languages of which definitions hold texts, and whose grammars are known elsewhere.
///
/// A closure for each, so that the format needs neither engine: whoever has them passes them to `validate`.
package struct Grammars: Sendable {
    /// What is wrong with a text, and where in it.
    package struct Problem: Sendable {
        package let code: Diagnostic.Code
        package let message: String
        /// UTF-8 offsets in the text.
        package let range: Range<Int>
        package let hint: String?

        package init(
            code: Diagnostic.Code, _ message: String, at range: Range<Int>, hint: String? = nil
        ) {
            self.code = code
            self.message = message
            self.range = range
            self.hint = hint
        }
    }

    package var jsonPath: @Sendable (String) -> [Problem]
    package var regularExpression: @Sendable (String) -> [Problem]
    /// Whether a regular expression that is one describes all of a text.
    package var matches: @Sendable (_ pattern: String, _ text: String) -> Bool

    /// What keeps every request of an endpoint in an environment from being sent, whatever its values.
    package var request: @Sendable (LocatedEndpoint, EnvironmentChain, Workspace) -> [Diagnostic]

    package init(
        jsonPath: @escaping @Sendable (String) -> [Problem],
        regularExpression: @escaping @Sendable (String) -> [Problem],
        matches: @escaping @Sendable (_ pattern: String, _ text: String) -> Bool = { _, _ in true },
        request: @escaping @Sendable (LocatedEndpoint, EnvironmentChain, Workspace) -> [Diagnostic] = { _, _, _ in [] }
    ) {
        self.jsonPath = jsonPath
        self.regularExpression = regularExpression
        self.matches = matches
        self.request = request
    }

    /// Takes every text for a good one, and every request.
    package static let unknown = Grammars(jsonPath: { _ in [] }, regularExpression: { _ in [] })
}

extension Diagnostic.Code {
    package static let patternInvalid: Self = "pattern.invalid"
}
