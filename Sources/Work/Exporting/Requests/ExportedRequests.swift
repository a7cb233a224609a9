import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The requests of an export.
struct ExportedRequests {
    let source: ExportSource
    let abilities: ToolAbilities
    let maker: RequestMaker
    /// The requests of the selected endpoints, without those from which no request can be made.
    private(set) var all: [OpenRequest] = []
    private(set) var notes: [ConversionNote] = []

    init(_ source: ExportSource, _ mode: OpenCalls.Mode, _ abilities: ToolAbilities) {
        self.source = source
        self.abilities = abilities
        maker = RequestMaker(source, mode)
        for endpoint in source.endpoints {
            do throws(Failure) { all.append(try maker.request(endpoint)) } catch {
                let first = error.diagnostics.first
                let isOpen = endpoint.parameters.contains { $0.value.isRequired && $0.value.sample == nil }
                let advice = mode == .filled && isOpen ? ": give it a default or an example" : ""
                notes.append(
                    ConversionNote(
                        .lost, "the endpoint is left out",
                        "\(endpoint.id): \(first?.message ?? "no request can be made")\(advice)",
                        at: first?.place ?? endpoint.definition.place))
            }
        }
    }

    /// The requests, each after the requests that it needs. Each request occurs once. The id of a request is the id of its endpoint,
    /// with a number if a needed request has other params.
    func withNeeds(of requests: [OpenRequest]) -> [(id: String, request: OpenRequest)] {
        let own = Dictionary(requests.map { ($0.key, $0.endpoint.id) }, uniquingKeysWith: { first, _ in first })
        var taken = UniqueNames(Set(own.values))
        var sent: Set<String> = []
        var entries: [(String, OpenRequest)] = []
        func add(_ request: OpenRequest) {
            guard sent.insert(request.key).inserted else { return }
            for need in request.needs { add(need.request) }
            entries.append((own[request.key] ?? taken.take(request.endpoint.id), request))
        }
        for request in requests { add(request) }
        return entries
    }
}
