package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Prints the JSON Schema of a kind of file, infers a schema from samples, or validates JSON against a schema.
package struct SchemaCommand: Command {
    enum Subject: String, CaseIterable, Sendable {
        case endpoint
        case environment
        case scenario
        case load
        case settings
        case infer
        case test
    }

    static let subject = Argument(
        "KIND",
        .oneOf(Subject.self, "endpoint|environment|scenario|load|settings|infer|test") {
            switch $0 {
            case .endpoint: "files below endpoints/"
            case .environment: "files in environments/"
            case .scenario: "files below scenarios/"
            case .load: "files below loads/"
            case .settings: "reqcli.json"
            case .infer: "a schema inferred from stubs, snapshots and JSON files"
            case .test: "check whether JSON files match a schema"
            }
        }, "The kind of file, or infer, or test")
    static let samples = Argument(
        rest: "SELECTOR|FILE", .text("SELECTOR|FILE", completing: .endpointOrFile),
        "For infer: JSON files, and endpoints whose stubs and snapshots are samples; for test: a schema and JSON files; - is stdin"
    )
    static let output = Option(
        "output", .oneOf(SchemaTest.Form.self), default: .text,
        "For test: print text, or JSON Schema's output format flag or basic")
    static let write = Option(
        "write", short: "o", .file(), "For infer: write the schema to this file, even if it exists")

    package static let spec = CommandSpec(
        "schema", "Print schemas of workspace files, infer one, or validate JSON",
        examples: [
            Example(
                "Write the schema of endpoint files for an editor", "reqcli schema endpoint > endpoint.schema.json"),
            Example("Show the keys of an environment", "reqcli schema environment | jq .properties"),
            Example(
                "Infer the schema of an endpoint's responses from its stubs and snapshots",
                "reqcli schema infer user.get"),
            Example("Validate a file", "reqcli schema test schemas/user.json answer.json"),
            Example("Infer a schema from JSON files", "reqcli schema infer a.json b.json -o user.schema.json"),
        ],
        arguments: ArgumentList(subject, samples),
        options: [OptionGroup("Output", write, output)],
        sections: [
            TextSection(
                "In an editor",
                """
                Most editors find the schema through this key, which you can add to any file:

                  "$schema": "../endpoint.schema.json"
                """),
            TextSection(
                "What is inferred",
                """
                schema infer finds types, members and formats, and prints JSON Schema 2020-12. Members that all samples have \
                are "required". Objects whose keys are ids or locales are maps, and so are objects that a stub names in \
                "drift": {"maps": […]}. For an endpoint, the samples are the JSON bodies of its stubs and snapshots with a \
                status 2xx; values that a snapshot's "match" or "ignore" selects give no type. There is no "enum" and there \
                are no bounds, because samples don't show them.
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed.meaning("a file doesn't match the schema"),
            .usage.meaning("unknown kind of file, or no samples"),
            .broken.meaning("the schema or the workspace has errors"),
            .outputFailed.meaning("the file cannot be written"),
        ],
        page: "reference/schemas.md")

    private let arguments: ParsedArguments
    private let subject: Subject

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        subject = arguments[Self.subject]
        let words = arguments[Self.samples]
        if subject == .infer, words.isEmpty {
            throw UsageError(
                "\"schema infer\" needs endpoints or JSON files",
                hint: "name an endpoint, as in \"reqcli schema infer user.get\"",
                command: Self.spec.name)
        }
        if arguments.isGiven(Self.output), subject != .test {
            throw UsageError(
                "--output can only be used with \"schema test\"", hint: "leave out --output", command: Self.spec.name)
        }
        if subject == .test {
            guard words.count > 1 else {
                throw UsageError(
                    "\"schema test\" needs a schema and JSON files",
                    hint: "name them, as in \"reqcli schema test schemas/user.json answer.json\"",
                    command: Self.spec.name)
            }
            if !arguments.isGiven(Self.write) { return }
        }
        guard subject != .infer else { return }
        if let word = words.first, subject != .test {
            throw UsageError(
                "\"schema \(subject.rawValue)\" takes no more arguments; found \"\(TerminalText.harmless(word))\"",
                command: Self.spec.name)
        }
        if arguments.isGiven(Self.write) {
            throw UsageError(
                "--write can only be used with \"schema infer\"", hint: "write > FILE after the command",
                command: Self.spec.name)
        }
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        if subject == .test {
            return try SchemaTest(context: context, arguments: arguments).run(arguments[Self.samples])
        }
        let schema =
            if let kind = FormatSchema(rawValue: subject.rawValue) {
                kind.json
            } else {
                try InferredSchema(context: context, arguments: arguments).schema(of: arguments[Self.samples])
            }
        let text = schema.pretty + "\n"
        guard let path = arguments[Self.write], path != "-" else {
            context.output.write(text)
            return .success
        }
        let whole = try context.pathFromHere(path)
        do throws(WritingProblem) {
            try context.writing.writeFile(whole, Array(text.utf8), .replacement)
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write \(path): \(error.reason)")
        }
        context.note("wrote \(path)")
        return .success
    }
}
