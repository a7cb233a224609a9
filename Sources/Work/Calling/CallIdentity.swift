package import ReqcliAssembly
package import ReqcliDefinitions
import ReqcliText

/// The identity of a call: its endpoint and its params. For calls that use captures, this identity is not enough.
package struct CallIdentity: Hashable, Sendable {
    private let endpointID: String
    private let parameters: [String]

    package init(_ endpoint: LocatedEndpoint, _ arguments: [ParameterArgument], unchecked: UncheckedValue? = nil) {
        endpointID = endpoint.id
        let known = endpoint.parameters
        let given = arguments.map { "\($0.name):\($0.source.json(as: known[named: $0.name]?.kind))" }.sorted()
        parameters = given + (unchecked.map { ["!\($0.name):\($0.value?.compact ?? "")"] } ?? [])
    }
}

extension Call {
    package var identity: CallIdentity { CallIdentity(endpoint, arguments, unchecked: unchecked) }
}

extension ParameterArgument.Source {
    /// The value as JSON, because `1` and `"1"` are different values. A `1` from a table gets the type of the param.
    fileprivate func json(as kind: Parameter.Kind?) -> String {
        switch self {
        case .value(let value): return value.compact
        case .file(let path): return "@" + path
        case .text(let text):
            switch kind {
            case .integer, .number, .boolean, .json, .list: return text
            case .string, nil: return OrderedJSON.string(text).compact
            // This path is relative to another folder than a path in a definition file, so it gets another prefix.
            case .file: return "=" + text
            }
        }
    }
}
