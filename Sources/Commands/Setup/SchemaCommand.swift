package import CommandLineKit
import Definitions
import SourceText

/// The JSON Schema of a kind of file.
package struct SchemaCommand: Command {
    static let kind = Argument(
        "KIND",
        .oneOf(FormatSchema.self, "endpoint|environment|settings") {
            switch $0 {
            case .endpoint: "files below endpoints/"
            case .environment: "files in environments/"
            case .settings: "reqcli.json"
            }
        }, "The kind of file")

    package static let spec = CommandSpec(
        "schema", "Print a JSON Schema of the files, for editors",
        examples: [
            Example(
                "Write the schema of endpoint files for an editor", "reqcli schema endpoint > endpoint.schema.json"),
            Example("Show the keys of an environment", "reqcli schema environment | jq .properties"),
        ],
        arguments: ArgumentList(kind),
        sections: [
            TextSection(
                "In an editor",
                """
                Most editors find the schema through this key, which any file can have:

                  "$schema": "../endpoint.schema.json"
                """)
        ],
        exitStatuses: [.success, .usage.meaning("unknown kind of file")])

    let schema: FormatSchema

    package init(_ arguments: ParsedArguments) {
        schema = arguments[Self.kind]
    }

    package func run(in context: Context) -> ExitStatus {
        context.output.write(schema.json.pretty + "\n")
        return .success
    }
}
