import CommandLineKit
import Definitions
import SourceText

/// A command line that calls an endpoint with all that it needs, to paste and change.
struct ExampleCall {
    /// The endpoint's id and a value for each param that has to be given.
    let words: [String]

    init(_ endpoint: LocatedEndpoint) {
        words =
            [endpoint.id]
            + endpoint.parameters.filter(\.value.isRequired).map { "\($0.name)=\($0.value.sampleText)" }
    }

    var line: String { ShellWord.line([Program.name, SendCommand.spec.name] + words) }
}

extension Parameter {
    /// The example that the file gives, unless it is not to be shown, else a value of the right kind.
    fileprivate var sampleText: String {
        if !isSecret, let value = example?.value ?? allowed?.first?.value { return value.plainText }
        return switch kind {
        case .string: "text"
        case .integer, .number: (minimum ?? maximum)?.text ?? "1"
        case .boolean: "true"
        case .json: "{}"
        case .file: "FILE"
        }
    }
}
