import ReqcliDefinitions
import ReqcliText

/// A value that only the user has, and that a request sends.
enum FlowingValue: Hashable {
    /// The value of a process variable, of a secret or of `{{$env.NAME}}`.
    case processVariable(String)
    /// A secret that a program prints or a file holds: its source as text, and its name.
    case stored(source: String, name: String)
    case parameter(String, of: String)
    case capture(String, of: String)
    /// A credential in a file, with the name of the header, item or variable.
    case literal(String, name: String)

    init(_ source: SecretSource, name: String) {
        self =
            switch source {
            case .processVariable(let variable): .processVariable(variable.value)
            case .command(let words, _, let json):
                .stored(source: (words + [json].compactMap(\.self)).map(\.value).joined(separator: "\0"), name: name)
            case .file(let path): .stored(source: path.value, name: name)
            }
    }

    /// The value in the words of a message. A credential itself is never included.
    var wording: String {
        switch self {
        case .processVariable(let name): "the value of \(name)"
        case .stored(_, let name): "the secret \"\(name)\""
        case .parameter(let name, let id): "the param \"\(name)\" of \(id)"
        case .capture(let name, let id): "the value \"\(name)\" that \(id) captures"
        case .literal(_, let name): "the credential \"\(name)\""
        }
    }

    /// The endpoint that the value belongs to; nil for a value of the workspace.
    var endpoint: String? {
        switch self {
        case .parameter(_, let id), .capture(_, let id): id
        case .processVariable, .stored, .literal: nil
        }
    }
}
