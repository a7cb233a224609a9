import ReqcliBasics
import ReqcliText

/// The source of a secret, never the secret itself.
package enum SecretSource: Sendable {
    case processVariable(Located<String>)
    /// - Parameter json: The JSONPath of the secret in what the program prints; nil if the whole output is the secret.
    case command([Located<String>], timeout: Duration?, json: Located<String>?)
    case file(Located<String>)
}

/// A secret as an environment describes it.
struct SecretDefinition: Sendable {
    let source: SecretSource
    /// The only origins that may receive the secret, such as `https://api.example.com`; nil if the file doesn't say.
    let origins: [Located<String>]?
}

extension SecretDefinition {
    private struct Draft: Sendable {
        var variable: Located<String>?
        var command: [Located<String>]?
        var timeout: Duration?
        var json: Located<String>?
        var file: Located<String>?
        var origins: [Located<String>]?

        var secret: SecretDefinition? { source.map { SecretDefinition(source: $0, origins: origins) } }

        private var source: SecretSource? {
            if let variable { return .processVariable(variable) }
            if let command, !command.isEmpty { return .command(command, timeout: timeout, json: json) }
            return file.map { .file($0) }
        }
    }

    static let shape = Shape(expects: fields.expects, schema: fields.schema) { value, decoding in
        if value.kind == .object || value.kind == .invalid { return fields.decode(value, &decoding) }
        // The value is not quoted, because it may be the secret.
        decoding.report(
            .typeMismatch,
            "\"\(decoding.subject)\" takes an object with the source of the secret; found \(value.kindDescription)",
            at: value.headPlace, hint: #"write { "env": "NAME" }: secrets don't belong in files"#,
            showsSource: false)
        return nil
    }

    private static let fields = table.shape.map(\.secret)

    private static let table = ObjectShape<Draft>(
        "secret", title: "a secret", summary: "Where to read a secret: one of these keys.",
        [
            Field("env", .located(.processVariableName), "An environment variable, or a variable in .env.") {
                $0.variable = $1
            },
            Field(
                "command", .command, "A program and its arguments, run without a shell; its output is the secret."
            ) {
                $0.command = $1
            },
            Field("timeout", .bound, "The time limit for the program; 10 s by default.") { $0.timeout = $1 },
            Field(
                "json", .jsonPath,
                "A JSONPath of the secret in the program's output, which is JSON. A program with several secrets runs once."
            ) { $0.json = $1 },
            Field(
                "file", .located(.nonEmpty("the path of a file")),
                "A file that contains the secret; ~ is the home folder."
            ) {
                $0.file = $1
            },
            Field(
                "origins", .oneOrMore(.located(.origin), isNeverEmpty: true),
                "The only origins that may receive the secret, such as \"https://api.example.com\". A request that would carry it elsewhere is refused."
            ) { $0.origins = $1 },
        ],
        rules: [
            .exactlyOne(["env", "command", "file"]), .excludes("timeout", ["env", "file"]),
            .excludes("json", ["env", "file"]),
        ],
        initial: { _ in Draft() })
}

extension Shape where Value == String {
    /// A scheme, a host and perhaps a port: of a server, or of a proxy that can read requests.
    fileprivate static let origin = text.checked(
        expects: "an origin such as \"https://api.example.com\"",
        schema: .text(pattern: "^(https?|socks(4a?|5h?))://[^/?#@]+$")
    ) { text, _ in
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? ""
        let isOfProxy = text.hasPrefix("socks")
        let address = isOfProxy ? ServerAddress.proxyComplaint(about: text) : ServerAddress.complaint(about: text)
        guard let complaint = rest.contains("/") ? "can't have a path" : address else {
            return nil
        }
        return Complaint(
            .valueInvalid, "an origin \(complaint); found \"\(text)\"",
            hint: "write the scheme, the host and perhaps a port: \"https://api.example.com\"")
    }

    fileprivate static let processVariableName = text.checked(
        expects: "the name of an environment variable", schema: .text(pattern: ProcessVariableName.pattern)
    ) { name, _ in
        name.isVariableName
            ? nil
            : Complaint(
                .nameInvalid, "\"\(name)\" can't be the name of an environment variable",
                hint: "write its name alone: \"STAGING_TOKEN\"")
    }
}

extension Shape where Value == [Located<String>] {
    fileprivate static let command = Shape(
        expects: "a list with a program and its arguments", schema: words.schema
    ) { value, decoding in
        if value.kind == .string {
            decoding.mismatch(
                value, expects: "a list with a program and its arguments",
                hint: "the program is run without a shell: write [\"pass\", \"show\", \"name\"]")
            return nil
        }
        return words.decode(value, &decoding)
    }

    private static let words = list(
        of: .located(.text), expects: "a list with a program and its arguments", isNeverEmpty: true)
}
