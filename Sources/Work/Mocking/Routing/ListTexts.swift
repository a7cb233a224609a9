import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Replaces lists inside longer strings by their stand-ins. Inside a longer string, a list is written as JSON here, although
/// `send` joins the elements of the list.
struct ListTexts {
    private let written: [(json: String, standIn: String)]

    init(_ endpoint: LocatedEndpoint) {
        written = endpoint.parameters.filter { $0.value.kind == .list && $0.value.separator == nil }.map { parameter in
            let standIn = StandIn.text(for: .parameter(parameter.name))
            return ("[\"\(standIn)\"]", standIn)
        }
    }

    func joined(_ text: String) -> String {
        // Scalars are compared, because the bracket of the list and a combining character after it would form one character.
        written.reduce(text) { text, list in
            String(text.unicodeScalars.replacing(list.json.unicodeScalars, with: list.standIn.unicodeScalars))
        }
    }

    func joined(_ value: OrderedJSON) -> OrderedJSON {
        written.isEmpty ? value : value.mappingTexts(joined)
    }
}
