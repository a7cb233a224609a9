/// A rule about options of a command that exclude or need each other. The parser enforces the rules, and help lists them.
package struct OptionRule: Sendable {
    private enum Kind {
        case atMostOne
        /// The first option can't be given together with any of the others.
        case excludes
        /// The first option is only valid together with at least one of the others.
        case needs
    }

    private let kind: Kind
    private let options: [RuledOption]

    package static func atMostOne<each Value>(_ options: repeat Option<each Value>) -> OptionRule {
        var all: [RuledOption] = []
        repeat all.append(RuledOption((each options).spec))
        return OptionRule(kind: .atMostOne, options: all)
    }

    package static func atMostOne(_ options: [OptionSpec]) -> OptionRule {
        OptionRule(kind: .atMostOne, options: options.map { RuledOption($0) })
    }

    package static func excludes<First, each Value>(
        _ first: Option<First>, _ others: repeat Option<each Value>
    ) -> OptionRule {
        var all = [RuledOption(first.spec)]
        repeat all.append(RuledOption((each others).spec))
        return OptionRule(kind: .excludes, options: all)
    }

    /// The option can't be given together with the `--no-` form of the other option.
    package static func excludes<First>(_ first: Option<First>, no other: Toggle) -> OptionRule {
        OptionRule(kind: .excludes, options: [RuledOption(first.spec), RuledOption(other.spec, isOff: true)])
    }

    package static func needs<First, each Value>(
        _ first: Option<First>, _ others: repeat Option<each Value>
    ) -> OptionRule {
        var all = [RuledOption(first.spec)]
        repeat all.append(RuledOption((each others).spec))
        return OptionRule(kind: .needs, options: all)
    }

    /// The problem of a command line that breaks the rule; nil if the command line keeps the rule.
    func problem(with uses: [String: [OptionSetting]]) -> UsageError.Problem? {
        let given = options.filter { $0.isGiven(uses) }
        switch kind {
        case .atMostOne, .excludes:
            guard given.count > 1, kind == .atMostOne || options[0].isGiven(uses) else { return nil }
            return UsageError.Problem(
                "\(given[0].spelling) and \(given[1].spelling) contradict each other", hint: "keep one of them")
        case .needs:
            guard given.count == 1, options[0].isGiven(uses) else { return nil }
            let others = options.dropFirst()
            return UsageError.Problem(
                "\(options[0].spelling) can only be used together with \(Sentence.alternatives(others.map(\.spelling)))",
                hint: "add \(Sentence.alternatives(others.map(\.usage)))")
        }
    }

    /// The options that the rule is about, for help.
    var subject: String {
        kind == .atMostOne ? options.map(\.spelling).joined(separator: ", ") : options[0].spelling
    }

    /// The rest of the rule's line in help.
    var predicate: String {
        let others = options.dropFirst().map(\.spelling)
        return switch kind {
        case .atMostOne: "Only one of these can be given"
        case .excludes: "Not allowed with \(Sentence.alternatives(others))"
        case .needs: "Only allowed with \(Sentence.alternatives(others))"
        }
    }
}

/// An option that a rule is about, or the `--no-` form of such an option.
private struct RuledOption {
    private let spec: OptionSpec
    private let isOff: Bool

    init(_ spec: OptionSpec, isOff: Bool = false) {
        self.spec = spec
        self.isOff = isOff
    }

    func isGiven(_ uses: [String: [OptionSetting]]) -> Bool {
        guard let last = uses[spec.name]?.last else { return false }
        if case .off = last { return isOff }
        return !isOff
    }

    var spelling: String { isOff ? "--no-\(spec.name)" : spec.longSpelling }

    /// The option with the value that it takes.
    var usage: String {
        if case .value(let value) = spec.form { return "\(spelling) \(value.placeholder)" }
        return spelling
    }
}
