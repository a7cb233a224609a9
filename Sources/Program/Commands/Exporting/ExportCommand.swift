import Checking
package import CommandLineKit
import Exporting
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// Writes endpoints in the formats of other tools.
package struct ExportCommand: Command {
    static let format = Argument(
        "FORMAT",
        ValueSpec<String>(
            "FORMAT", expected: "one of " + ExportFormat.all.map { $0.name }.joined(separator: ", "),
            words: ExportFormat.all.map { ValueWord($0.name, $0.summary) }
        ) { (text) throws(InvalidValue) in
            guard ExportFormat.all.contains(where: { $0.name == text }) else {
                throw InvalidValue(
                    hint: text == "curl"
                        ? "\"reqcli render ID\" prints a curl command"
                        : NearNames.question(for: text, among: ExportFormat.all.map { $0.name }))
            }
            return text
        }, "The format to write")
    static let selectors = Selector.argument("The endpoints to export (default: all)")
    static let output = Option("output", short: "o", .text("PATH", completing: .file), "The file or folder to write")
    static let force = Flag("force", "Replace files that exist")
    static let weight = Option(
        repeated: "weight", .text("SELECTOR=N"),
        "For a load test: how often to call these endpoints, compared with others (default: 1)")
    static let flavor = Option(
        "flavor", .oneOf(HTTPFileFlavor.self), default: .standard, "For http: the editors to support")
    static let source = Option(
        "source",
        ValueSpec<String>("URL", expected: "an address such as https://github.com/OWNER/NAME/blob/main") {
            (text) throws(InvalidValue) in
            guard text.hasPrefix("https://") || text.hasPrefix("http://") else { throw InvalidValue() }
            return text
        }, "For html: the URL of the workspace's files, for links to file and line")

    package static let spec = CommandSpec(
        "export", "Write endpoints as OpenAPI, Postman, Hurl, HTML or a load test",
        examples: [
            Example("All endpoints as an OpenAPI description", "reqcli export openapi -o openapi.json"),
            Example("A group as a Postman collection, with its environments", "reqcli export postman user -o postman/"),
            Example(
                "A load test of one environment", "reqcli export locust tag:smoke --env staging -o locustfile.py"),
            Example("Documentation for a browser, beginning with index.html", "reqcli export html -o apidoc/"),
        ],
        arguments: ArgumentList(format, selectors),
        options: [
            OptionGroup("Output", output, force), OptionGroup("Environment", SharedOptions.environment),
            OptionGroup("Options of some formats", weight, flavor, source),
        ],
        sections: [
            TextSection(
                "Formats",
                ExportFormat.all.map { "  \(TerminalText.padded($0.name, to: 9))\($0.summary)" }.joined(
                    separator: "\n")),
            TextSection(
                "What it writes",
                """
                -o names the file to write or, if the format has several files, their folder. Without -o, the main file goes \
                to stdout, and a note names the others. Existing files stay unchanged, unless --force is given. What the \
                format can't express is reported with its place in your files. Nothing is sent, and no program runs.
                """),
            TextSection(
                "Secrets",
                """
                An export never contains the value of a secret. The tool that reads the export takes secrets from variables \
                with the same names; the exported files list these variables.
                """),
            Selector.section,
        ],
        exitStatuses: [
            .success, .expectationFailed.meaning("the export would have no request: nothing is written"),
            .usage.meaning("wrong usage, a selector selects nothing, or a file exists"),
            .broken.meaning("the workspace has errors"),
            .outputFailed.meaning("a file cannot be written; all files are unchanged"),
        ],
        page: "how-to/export.md")

    let arguments: ParsedArguments
    let weights: [(selector: Selector, count: Int)]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        var weights: [(Selector, Int)] = []
        for text in arguments[Self.weight] {
            let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, parts[0] != Selector.tagPrefix, let count = Int(parts[1]),
                (0...1_000_000).contains(count)
            else {
                throw UsageError(
                    "--weight needs SELECTOR=N, such as user.feed=3; found \"\(TerminalText.harmless(text))\"",
                    command: Self.spec.name)
            }
            weights.append((Selector(parts[0]), count))
        }
        self.weights = weights
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        try ExportRun(self, context).run()
    }
}
