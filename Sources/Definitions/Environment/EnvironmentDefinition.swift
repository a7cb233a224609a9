package import SourceText

/// One environment as its file describes it.
package struct EnvironmentDefinition: Sendable {
    package var name = ""
    package var summary: String?
    /// Environments that this one builds on, left to right.
    package var extends: [Located<String>] = []
    package var layer = RequestLayer()
    package var variables: [Named<Setting<ValueTemplate>>] = []
    package var secrets: [Named<Setting<SecretSource>>] = []
    package var policy: Setting<Policy>?
    /// Variants by endpoint id; `*` stands for all others.
    package var stubs: Setting<[Named<Located<String>>]>?
    package let place: Place

    package var texts: [TextTemplate] { layer.texts + variables.flatMap { $0.value.value.value?.texts ?? [] } }
}

/// Where a secret is to be had; never the secret itself.
package enum SecretSource: Sendable {
    case processVariable(Located<String>)
    case command([Located<String>], timeout: Duration?)
    case file(Located<String>)
}

/// What may be sent in an environment at all. No endpoint can loosen it.
package struct Policy: Sendable {
    package var methods: [Located<String>]?
    package var confirm: [Located<String>] = []
}

// MARK: - Tables

extension EnvironmentDefinition {
    static let table = ObjectShape<EnvironmentDefinition>(
        "environment", title: "an environment", summary: "Where requests go, and what all of them have in common.",
        [
            Field("description", .text, "What this environment is.") { $0.summary = $1 },
            Field(
                "extends", .oneOrMore(.located(.name("an environment"))),
                "Environments that this one builds on, left to right."
            ) { $0.extends = $1 },
        ]
            + RequestLayer.fields.map { field in field.lifted { outer, change in change(&outer.layer) } }
            + [
                Field(
                    "variables",
                    .dictionary(of: .setting(.anyValue), keys: .name("a variable"), expects: "an object of variables"),
                    "Values that placeholders name."
                ) { $0.variables = $1 },
                Field(
                    "secrets",
                    .dictionary(
                        of: .setting(SecretSource.shape), keys: .name("a secret"), expects: "an object of secrets"),
                    "Where secrets are to be had; never the secrets themselves."
                ) { $0.secrets = $1 },
                Field("policy", .setting(Policy.table.shape), "What may be sent here at all.") { $0.policy = $1 },
                Field(
                    "stubs",
                    .setting(
                        .dictionary(
                            of: .located(.name("a variant")), keys: .stubPattern,
                            expects: "an object of endpoint ids (or \"*\") and variants")),
                    "Answer from these variants and never open a socket."
                ) { $0.stubs = $1 },
            ], rules: RequestLayer.rules, initial: { EnvironmentDefinition(place: $0.place) })
}

extension Policy {
    static let table = ObjectShape<Policy>(
        "policy", title: "\"policy\"", summary: "What may be sent in an environment at all.",
        [
            Field("methods", .list(of: .located(.method), expects: "a list of methods"), "The only methods there are.")
            {
                $0.methods = $1
            },
            Field("confirm", .list(of: .located(.method), expects: "a list of methods"), "Methods that ask first.") {
                $0.confirm = $1
            },
        ], initial: { _ in Policy() })
}

extension SecretSource {
    private struct Draft: Sendable {
        var variable: Located<String>?
        var command: [Located<String>]?
        var timeout: Duration?
        var file: Located<String>?

        var source: SecretSource? {
            if let variable { return .processVariable(variable) }
            if let command, !command.isEmpty { return .command(command, timeout: timeout) }
            return file.map { .file($0) }
        }
    }

    static let shape = table.shape.finished(\.source)

    private static let table = ObjectShape<Draft>(
        "secret", title: "a secret", summary: "Where a secret is to be had: one of these.",
        [
            Field("env", .located(.processVariableName), "A variable of the process, or of .env.") { $0.variable = $1 },
            Field(
                "command", .command, "A program and its arguments, run without a shell; what it prints is the secret."
            ) {
                $0.command = $1
            },
            Field("timeout", .bound, "How long the program may take; 10 s unless said otherwise.") { $0.timeout = $1 },
            Field("file", .located(.filePath), "A file that holds it; ~ is the home folder.") { $0.file = $1 },
        ],
        rules: [.exactlyOne(["env", "command", "file"]), .excludes("timeout", ["env", "file"])],
        initial: { _ in Draft() })
}

extension Shape where Value == String {
    fileprivate static let processVariableName = text.checked(
        expects: "the name of an environment variable", schema: .text(pattern: ProcessVariableName.pattern)
    ) { name, value, decoding in
        if ProcessVariableName.isValid(name) { return true }
        decoding.report(
            .nameInvalid, "\"\(name)\" can't be the name of an environment variable", at: value.place,
            hint: "write its name alone: \"STAGING_TOKEN\"")
        return false
    }

    fileprivate static let filePath = text.checked(expects: "the path of a file", schema: .text(pattern: "^.+$")) {
        path, value, decoding in
        if !path.isEmpty { return true }
        decoding.mismatch(value, expects: "the path of a file", code: .valueInvalid)
        return false
    }
}

extension Shape where Value == [Located<String>] {
    fileprivate static let command = Shape(
        expects: "a list of a program and its arguments", schema: .list(.text())
    ) { value, decoding in
        guard value.kind == .array, value.count > 0 else {
            decoding.mismatch(
                value, expects: "a list of a program and its arguments",
                hint: value.kind == .string ? "no shell runs it: write [\"pass\", \"show\", \"name\"]" : nil)
            return nil
        }
        return Shape<[Located<String>]>.list(of: .located(.text)).decode(value, &decoding)
    }
}

extension KeyRule {
    /// An endpoint's id, or `*` for all others.
    fileprivate static let stubPattern = KeyRule(
        pattern: #"^(\*|[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)$"#, identity: { $0 }
    ) { member, decoding in
        if member.name == "*" || Name.isValidID(member.name) { return true }
        decoding.report(
            .nameInvalid, "\"\(member.name)\" is neither the id of an endpoint nor \"*\"", at: member.key.place)
        return false
    }
}
