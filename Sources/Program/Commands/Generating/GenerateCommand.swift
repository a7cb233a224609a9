import Checking
package import CommandLineKit
import Generating
import ReqcliDefinitions
package import ReqcliText

/// Writes endpoints as code.
package struct GenerateCommand: Command {
    enum Language: String, CaseIterable, Sendable {
        case swift
    }

    static let language = Argument(
        "LANGUAGE", .oneOf(Language.self, "swift") { _ in "a typed client and its test doubles" },
        "The language to write")
    static let selectors = Selector.argument("The endpoints to write (default: all)")
    static let output = Option("output", short: "o", .directory(), "The folder for the two modules, such as Sources")
    static let module = Option(
        "module", .text("NAME"), "The name of the module with the requests (default: API); the other one is NAMEStubs")
    static let models = Flag("models", "Make Codable types for responses, bodies and params from their schemas")
    static let check = Flag("check", "Write nothing; show what would change, and exit 1 if anything would")

    package static let spec = CommandSpec(
        "generate", "Write a typed Swift client for endpoints, with test doubles",
        examples: [
            Example("All endpoints, in a Swift package", "reqcli generate swift -o Sources --module Backend"),
            Example("In CI: is the code up to date?", "reqcli generate swift -o Sources --module Backend --check"),
            Example("A group, with types of its responses", "reqcli generate swift user -o Sources --models"),
        ],
        arguments: ArgumentList(language, selectors),
        options: [OptionGroup("Output", output, module, models, check)],
        sections: [
            TextSection(
                "What it writes",
                """
                generate writes two modules, each to a folder below -o. The module NAME has a type for each endpoint, with \
                params as properties, and NAMEEnvironment, with the base of a client for each environment. NAMEStubs has the \
                stub variants of the endpoints, for tests and previews; NAMEVariants lists them. Both modules need the \
                libraries RequestBuilding and Exchange of reqcli's package.

                The same files give the same code. generate replaces the files that it has written before, and removes \
                them if their endpoints no longer exist. Other files in the two folders stay; if one of them has the name of a \
                file to write, that is an error. Either all files are written or none.
                """),
            TextSection(
                "What it leaves out",
                """
                The generated code does not call needed endpoints: their captures are params of the call. Everything else that \
                is left out is reported with its place in your files.
                """),
            TextSection(
                "Secrets",
                """
                The code never contains a secret. You pass an asynchronous closure to the environment for each secret and each \
                environment variable. The client calls the closure when a request needs the value. Without the closure, such a \
                request is an error.
                """),
            Selector.section,
        ],
        exitStatuses: [
            .success, .expectationFailed.meaning("--check: the code is out of date"),
            .usage.meaning("wrong usage, a selector selects nothing, or a file to write exists but is not generated"),
            .broken.meaning("the workspace has errors, or two names would be the same in Swift"),
            .outputFailed.meaning("a file cannot be written; all files are unchanged"),
        ],
        page: "how-to/swift-client.md")

    let arguments: ParsedArguments
    let folder: String
    let moduleName: String

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        guard let folder = arguments[Self.output] else {
            throw UsageError("generate needs -o DIR, the folder for the two modules", command: Self.spec.name)
        }
        self.folder = folder
        moduleName = arguments[Self.module] ?? "API"
        guard Self.isModuleName(moduleName) else {
            throw UsageError(
                "--module needs a name of letters, digits and _ that begins with a letter and is not a module of the package; "
                    + "found \"\(TerminalText.harmless(moduleName))\"", command: Self.spec.name)
        }
    }

    private static func isModuleName(_ name: String) -> Bool {
        let isWord = name.utf8.allSatisfy { $0.isASCIIWord }
        return isWord && name.first?.isLetter == true
            && !["Exchange", "RequestBuilding", "Foundation", "Swift"].contains(name)
            && name.utf8.count <= 60
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        try GenerateRun(self, context).run()
    }
}

extension UInt8 {
    fileprivate var isASCIIWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
