import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// The endpoints and cases that a word on the command line names.
///
/// - `user.get`: an endpoint
/// - `user`: all endpoints of a group, at any depth, unless an endpoint has this id
/// - `user.*`: a glob over ids
/// - `user.get/is there`: one check by its name, globs allowed on both sides
/// - `user.get/probe:limit=101`: one probe by its name
/// - `tag:smoke`: everything that has the tag
/// - `scenario:checkout`: a scenario, or several by a glob; `scenario:checkout/pay` only up to that step, `scenario:checkout#2`
///   with the second row of data
package struct Selector: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case endpoint(Glob, check: Glob?)
        case tag(Glob)
        case scenario(Glob, step: String?, row: Int?)
    }

    package static let tagPrefix = "tag:"

    /// Whether the selector can name only scenarios.
    package var isScenario: Bool { if case .scenario = subject { true } else { false } }

    /// Whether the selector can name scenarios.
    package var mayBeScenario: Bool { if case .endpoint = subject { false } else { true } }

    package let text: String
    let subject: Subject

    package init(_ text: String) {
        self.text = text
        if text.hasPrefix(Self.tagPrefix) {
            subject = .tag(Glob(String(text.dropFirst(Self.tagPrefix.count))))
        } else if text.hasPrefix(LocatedScenario.prefix) {
            subject = Self.scenario(text)
        } else if let slash = text.firstIndex(of: "/") {
            subject = .endpoint(
                Glob(String(text[..<slash])), check: Glob(String(text[text.index(after: slash)...])))
        } else {
            subject = .endpoint(Glob(text), check: nil)
        }
    }

    private static func scenario(_ text: String) -> Subject {
        var text = text[...]
        var row: Int?
        if let hash = text.lastIndex(of: "#"), let number = Int(text[text.index(after: hash)...]), number > 0 {
            row = number
            text = text[..<hash]
        }
        guard let slash = text.firstIndex(of: "/") else { return .scenario(Glob(String(text)), step: nil, row: row) }
        return .scenario(Glob(String(text[..<slash])), step: String(text[text.index(after: slash)...]), row: row)
    }

    /// Whether the selector names something with this id, when nothing else is known about it. A request without an endpoint has
    /// its URL as the id.
    package func names(_ id: String) -> Bool {
        let glob = Glob(text)
        return glob.matches(id) || glob.isLiteral && id.hasPrefix(text + ".")
    }

    /// Whether the selector is the id of this endpoint or of one of its cases, and not a group, a glob or a tag.
    func isID(of endpoint: LocatedEndpoint) -> Bool {
        guard case .endpoint(let glob, let check) = subject else { return false }
        return glob.isLiteral && glob.text == endpoint.id && check?.isLiteral != false
    }

    /// Whether a file that can't be read might contain something that the selector names.
    package func couldSelect(fromFile id: String) -> Bool {
        switch subject {
        case .tag: true
        case .scenario: false
        case .endpoint(let glob, _) where glob.isLiteral:
            glob.text == id || glob.text.hasPrefix(id + ".") || id.hasPrefix(glob.text + ".")
        case .endpoint(let glob, _): glob.matches(id) || glob.couldMatch(textBeginningWith: id + ".")
        }
    }

    /// Whether the selector names everything in a file that can't be read. False if this depends on the contents of the file.
    func selectsAll(ofFile id: String) -> Bool {
        guard !id.isEmpty, case .endpoint(let glob, nil) = subject else { return false }
        return glob.text == id || glob.text.hasSuffix("*") && glob.matches(id)
    }
}

// MARK: - Choosing among cases

/// An endpoint or a check that a selector can name.
struct Candidate {
    let endpointID: String
    /// The check's name; nil for the endpoint itself.
    let checkName: String?
    let tags: [String]

    init(_ endpoint: LocatedEndpoint, _ selected: Planner.Selected) {
        endpointID = endpoint.id
        checkName = selected.name
        tags = endpoint.tags + (selected.check?.tags ?? [])
    }

    init(_ endpoint: LocatedEndpoint, _ check: NamedCheck? = nil) {
        endpointID = endpoint.id
        checkName = check?.name?.value
        tags = endpoint.tags + (check?.tags ?? [])
    }
}

extension Selector {
    /// The endpoints that the selector names, and the endpoints whose checks it names.
    package func selected(of endpoints: [LocatedEndpoint]) -> [LocatedEndpoint] {
        var owners: [LocatedEndpoint] = []
        let candidates = endpoints.flatMap { endpoint in
            let all = endpoint.candidates
            owners += all.map { _ in endpoint }
            return all
        }
        var ids: Set<String> = []
        return selected(among: candidates).map { owners[$0] }.filter { ids.insert($0.id).inserted }
    }

    /// The indexes of the candidates that the selector names.
    func selected(among candidates: [Candidate]) -> [Int] {
        switch subject {
        case .scenario: return []
        case .tag(let glob): return candidates.indices.filter { candidates[$0].tags.contains(where: glob.matches) }
        case .endpoint(let glob, let check):
            // The id of an endpoint selects only that endpoint, even if a group has the same name.
            let isGroup = glob.isLiteral && !candidates.contains { $0.endpointID == glob.text }
            return candidates.indices.filter { index in
                let candidate = candidates[index]
                let isMeant =
                    isGroup ? candidate.endpointID.hasPrefix(glob.text + ".") : glob.matches(candidate.endpointID)
                guard isMeant, let check else { return isMeant }
                return candidate.checkName.map(check.matches) ?? false
            }
        }
    }
}

extension LocatedEndpoint {
    /// The endpoint and its checks.
    fileprivate var candidates: [Candidate] {
        [Candidate(self)] + definition.checks.filter { $0.name != nil }.map { Candidate(self, $0) }
    }
}

extension Selector {
    /// An error about a selector that selects nothing, with a suggestion.
    ///
    /// - Parameters:
    ///   - otherWords: Words that have another meaning where the user has typed the selector.
    ///   - mayBeVariant: Whether the user may have typed the name of a variant after `--stub` and a space.
    package func complaint(
        among endpoints: [LocatedEndpoint], otherWords: [String] = [], mayBeVariant: Bool = false
    ) -> Diagnostic {
        let ids = endpoints.map(\.id)
        switch subject {
        case .scenario:
            return nothing(
                "this command only takes endpoints; found \"\(text)\"", hint: "\"reqcli check\" runs scenarios")
        case .tag(let tag):
            let tags = Set(endpoints.flatMap { $0.tags + $0.definition.checks.flatMap(\.tags) }).sorted()
            return nothing(
                "no endpoint or case has the tag \"\(tag.text)\"",
                hint: NearNames.question(for: tag.text, among: tags)
                    ?? (tags.isEmpty ? "there are no tags" : "available: \(tags.joined(separator: ", "))"))
        case .endpoint(let glob, let check?) where ids.contains(where: glob.matches):
            if check.text.hasPrefix(Probe.prefix) {
                return nothing(
                    "\(glob.text) has no \(check.isLiteral ? "probe \"\(check.text)\"" : "probes")",
                    hint:
                        "\"reqcli check \(glob.text) --probe --list\" lists all probes; to select probes, pass --probe")
            }
            let names = endpoints.filter { glob.matches($0.id) }
                .flatMap { $0.definition.checks.compactMap { $0.name?.value } }
            return nothing(
                "\(glob.text) has no check \"\(check.text)\"",
                hint: NearNames.question(for: check.text, among: names)
                    ?? (names.isEmpty
                        ? "there are no checks"
                        : "available: \(names.map { "\"\($0)\"" }.joined(separator: ", "))"))
        case .endpoint(let glob, _):
            let names = ids + Set(ids.flatMap(\.groups)).sorted() + otherWords
            let what = glob.isLiteral ? "there is no endpoint or group" : "no endpoint's id matches"
            let scenario = LocatedScenario.prefix + glob.text
            if otherWords.contains(scenario) {
                return nothing("\(what) \"\(glob.text)\"", hint: "did you mean \(scenario)?")
            }
            let isVariant = glob.text.isVariant(among: endpoints)
            if !isVariant, let hint = glob.text.hintForOtherWord {
                return nothing("\(what) \"\(glob.text)\"", hint: hint)
            }
            return nothing(
                "\(what) \"\(glob.text)\"",
                hint: mayBeVariant && isVariant
                    ? "this is the name of a stub variant: pass --stub=\(glob.text) to use it"
                    : NearNames.question(for: glob.nameForSuggestions, among: names)
                        ?? "run \"reqcli list\" to see all endpoints")
        }
    }

    private func nothing(_ message: String, hint: String) -> Diagnostic {
        Diagnostic(code: .selectionEmpty, message, at: nil, hint: hint)
    }
}

extension Glob {
    /// The text before the first wildcard, so that `user` can be suggested for `usr.*`.
    fileprivate var nameForSuggestions: String {
        let start = text.prefix { $0 != "*" && $0 != "?" }
        return String(start.hasSuffix(".") ? start.dropLast() : start)
    }
}

extension String {
    /// The hint for a word that was meant as something else than a selector.
    fileprivate var hintForOtherWord: String? {
        if let end = firstIndex(of: "="), !self[..<end].contains(where: { ".*".contains($0) }) {
            return
                "a param's value can't be given here; \"with\" in \"checks\", --data FILE and reqcli send take values"
        }
        if !isEmpty, allSatisfy(\.isNumber) { return "a port is an option: --port \(self)" }
        return self == "endpoints" || self == "scenarios" ? "--uses FILE selects the endpoints of a file" : nil
    }

    /// Whether the string is the name of a variant, or `ENDPOINT=NAME`.
    fileprivate func isVariant(among endpoints: [LocatedEndpoint]) -> Bool {
        let parts = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return endpoints.contains { endpoint in
            (parts.count == 1 || endpoint.id == parts[0])
                && endpoint.definition.stubs?.variants[named: parts[parts.count - 1]] != nil
        }
    }

    /// The groups that contain the id: `a` and `a.b` for `a.b.c`.
    fileprivate var groups: [String] {
        indices.filter { self[$0] == "." }.map { String(self[..<$0]) }
    }
}

extension Diagnostic.Code {
    package static let selectionEmpty: Self = "selection.empty"
}
