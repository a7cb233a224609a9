import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Replaces lists in longer strings by their stand-ins. A list is written there as JSON, although `send` joins its elements.
struct ListTexts {
    private let written: [(json: String, standIn: String)]

    init(_ endpoint: LocatedEndpoint) {
        written = endpoint.parameters.filter { $0.value.kind == .list && $0.value.separator == nil }.map { parameter in
            let standIn = StandIn.text(for: .parameter(parameter.name))
            return ("[\"\(standIn)\"]", standIn)
        }
    }

    func joined(_ text: String) -> String {
        // This compares scalars: a combining character after the list would form one character with its bracket.
        written.reduce(text) { text, list in
            String(text.unicodeScalars.replacing(list.json.unicodeScalars, with: list.standIn.unicodeScalars))
        }
    }

    func joined(_ value: OrderedJSON) -> OrderedJSON {
        if written.isEmpty { return value }
        switch value {
        case .string(let text): return .string(joined(text))
        case .array(let elements): return .array(elements.map(joined))
        case .object(let members): return .object(members.map { OrderedJSON.Member($0.name, joined($0.value)) })
        case .null, .bool, .number: return value
        }
    }
}
