package import Checking
import CommandLineKit
package import ReqcliDefinitions
package import ReqcliText

/// The endpoints that a command line selects: those that at least one selector selects; all if there is no selector.
package struct Selection: Sendable {
    package let selectors: [Selector]
    /// Words that the command accepts in place of a selector. The user may have meant one of these words.
    private let otherWords: [String]
    /// The selectors that have already selected something else, such as a scenario. A selector in this list may select no
    /// endpoint.
    package var satisfied: [Selector] = []

    package init(_ selectors: [Selector], otherWords: [String] = []) {
        self.selectors = selectors
        self.otherWords = otherWords
    }

    /// The selected endpoints in the order of their files, with the problems of the files that were read. Only files that could
    /// define a selected endpoint are read. A selector that selects nothing is a failure.
    ///
    /// - Parameter reading: All files, if they have been read.
    package func endpoints(
        of workspace: Workspace, in reading: WorkspaceReading? = nil
    ) throws(Failure) -> Diagnosed<[LocatedEndpoint]> {
        let loaded = reading?.endpoints(where: couldSelect) ?? workspace.endpoints(where: couldSelect)
        let found = selectors.map { $0.selected(of: loaded.value) }
        let unmatched = zip(selectors, found).filter { $0.1.isEmpty && !satisfied.contains($0.0) }.map(\.0)
        guard unmatched.isEmpty else {
            // The missing endpoint may be in the file that can't be read.
            if loaded.diagnostics.contains(where: { $0.severity == .error }) {
                throw Failure(.broken, loaded.diagnostics)
            }
            throw nothingSelected(by: unmatched, in: workspace)
        }
        if selectors.isEmpty { return loaded }
        let ids = Set(found.joined().map(\.id))
        return Diagnosed(loaded.value.filter { ids.contains($0.id) }, loaded.diagnostics)
    }

    private func couldSelect(from entry: Workspace.Entry) -> Bool {
        selectors.isEmpty || selectors.contains { $0.couldSelect(fromFile: entry.id) }
    }
}

// MARK: - Nothing selected

extension Selection {
    private func nothingSelected(by selectors: [Selector], in workspace: Workspace) -> Failure {
        // All files are read only now, for names that the user may have meant.
        let all = workspace.endpoints().value
        return Failure(.usage, selectors.map { $0.complaint(among: all, otherWords: otherWords) })
    }
}

extension Selector {
    /// The argument of a command that works on many endpoints.
    static func argument(
        _ summary: String, completing completion: CompletionKind = .selector
    ) -> Argument<[Selector]> {
        Argument(rest: "SELECTOR", .selector(completing: completion), summary)
    }

    /// The forms of a selector, for help.
    static let section = TextSection(
        "Selectors",
        """
          user.get         one endpoint
          user             all endpoints of a group
          'user.*'         a pattern, with * for any text and ? for a character
          tag:smoke        endpoints with this tag
          'user.get/NAME'  endpoints with a check of this name; for check, only that check

        One matching selector is enough.
        """)
}

extension ValueSpec where Value == Selector {
    static func selector(completing completion: CompletionKind = .selector) -> ValueSpec {
        ValueSpec(
            "SELECTOR", expected: "an id, a group, a pattern or tag:NAME", completion: completion, text: { $0.text }
        ) { (text) throws(InvalidValue) in
            guard !text.isEmpty, text != Selector.tagPrefix else { throw InvalidValue() }
            return Selector(text)
        }
    }
}
