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
        }, "What kind of file")

    package static let spec = CommandSpec(
        "schema", "JSON Schema of the files, for editors",
        examples: [
            Example("Let an editor know what an endpoint file holds", "reqcli schema endpoint > endpoint.schema.json"),
            Example("What an environment can say", "reqcli schema environment | jq .properties"),
        ],
        arguments: ArgumentList(kind),
        sections: [
            TextSection(
                "In an editor",
                """
                Most editors take the schema from the file itself; any file may have this key:

                  "$schema": "../endpoint.schema.json"
                """)
        ],
        exitStatuses: [.success, .usage.meaning("there is no such kind of file")])

    let schema: FormatSchema

    package init(_ arguments: ParsedArguments) {
        schema = arguments[Self.kind]
    }

    package func run(in context: Context) -> ExitStatus {
        context.output.write(schema.json.pretty + "\n")
        return .success
    }
}
