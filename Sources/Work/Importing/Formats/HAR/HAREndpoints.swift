import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Makes one endpoint from all requests with the same method, the same server and the same shape of path.
struct HAREndpoints {
    private(set) var notes: [ConversionNote] = []
    private var endpoints: [Endpoint] = []
    private var indices: [String: Int] = [:]
    private let options: ImportOptions

    /// The requests of an endpoint.
    private struct Endpoint {
        var exchanges: [HARExchange]
    }

    /// The number of responses that an endpoint keeps. More responses would add little.
    private static let mostVariants = 20

    init(_ options: ImportOptions) { self.options = options }

    mutating func add(_ exchange: HARExchange) {
        let shape = PathValues(exchange.request.path).path
        // All operations of GraphQL have the same path.
        let operation = exchange.request.graphQLText ?? ""
        let key = "\(exchange.request.method) \(exchange.request.base ?? "") \(shape) \(operation)"
        if let index = indices[key] {
            endpoints[index].exchanges.append(exchange)
        } else {
            indices[key] = endpoints.count
            endpoints.append(Endpoint(exchanges: [exchange]))
        }
    }

    mutating func made() -> ImportedAPI {
        var api = ImportedAPI()
        api.requests = endpoints.map { request(of: $0.exchanges) }
        return api
    }

    private mutating func request(of exchanges: [HARExchange]) -> ImportedRequest {
        var request = exchanges[0].request
        let taken = Set(request.params.map(\.name))
        let paths = exchanges.map { PathValues($0.request.path, notAmong: taken) }
        request.path = paths[0].path
        request.params = Self.params(paths) + request.params
        addQuery(of: exchanges, to: &request)
        addVariants(of: exchanges, to: &request)
        noteDifferences(exchanges)
        return request
    }

    /// The params of a path. If all requests have the same values, these values are the defaults. A param with values of several
    /// types is a string.
    private static func params(_ paths: [PathValues]) -> [ImportedParam] {
        if paths.allSatisfy({ $0.values == paths[0].values }) { return paths[0].params }
        return paths[0].values.enumerated().map { index, member in
            let (name, value) = (member.name, member.value)
            let isOfOneType = paths.allSatisfy { $0.values[index].value.parameterKind == value.parameterKind }
            return ImportedParam(name, example: isOfOneType ? value : .string(value.scalarText ?? ""))
        }
    }

    // MARK: Query

    private mutating func addQuery(of exchanges: [HARExchange], to request: inout ImportedRequest) {
        let first = exchanges[0].query
        guard exchanges.contains(where: { $0.query != first }) else {
            request.query = ImportedQuery(first)
            return
        }
        guard let queries = queries(of: exchanges) else {
            request.query = ImportedQuery(first)
            notes.append(
                ConversionNote(
                    .approximated, "the query is that of the first request; other requests have other queries",
                    at: request.place))
            return
        }
        var order: [String] = []
        var values: [String: [[TemplateText]]] = [:]
        for query in queries {
            var own: [String: [TemplateText]] = [:]
            for item in query {
                if own[item.name] == nil, values[item.name] == nil { order.append(item.name) }
                own[item.name, default: []].append(item.value)
            }
            for (name, texts) in own { values[name, default: []].append(texts) }
        }
        var taken = ParamNames(request.params.map(\.name))
        let items = order.map { name -> (name: String, value: OrderedJSON) in
            let all = values[name] ?? []
            let isOptional = all.count < exchanges.count
            if !isOptional, let same = all.first, all.allSatisfy({ $0 == same }) {
                return (name, .oneOrMore(same.map { .string($0.text) }))
            }
            let param = taken.take(name)
            let texts = all.map { $0.map { $0.literal ?? "" } }
            request.params.append(Self.param(param, texts, isOptional: isOptional))
            return (name, .string("{{\(param)}}"))
        }
        request.query = .items(.grouped(items))
    }

    /// The queries as names and values; nil if a query can't be written in this way. If a `+` is the only obstacle, the `+` is
    /// read as a space.
    private func queries(of exchanges: [HARExchange]) -> [[QueryItem]]? {
        if exchanges.allSatisfy(\.query.areSayable) { return exchanges.map(\.query) }
        if options.isExact { return nil }
        let queries = exchanges.map { QueryItem.items(of: TemplateText($0.query.text), .form) }
        guard queries.allSatisfy(\.areSayable) else { return nil }
        return queries
    }

    /// A param for the values of one query item. Each element of `values` contains the values in one request.
    private static func param(_ name: String, _ values: [[String]], isOptional: Bool) -> ImportedParam {
        let kinds = Set(values.joined().map { OrderedJSON.typed($0).parameterKind })
        let kind = kinds.count == 1 ? kinds.first ?? .string : .string
        let example = (values.first ?? []).map { kind == .string ? .string($0) : OrderedJSON.typed($0) }
        var type = ParamType(kind)
        let isList = !values.allSatisfy { $0.count == 1 }
        if isList {
            type = ParamType(.list)
            type.items = [ParamType(kind)]
        }
        var param = ImportedParam(name, type)
        param.required = isOptional ? false : nil
        param.example = isList ? .array(example) : example.first
        return param
    }

    // MARK: Responses

    private mutating func addVariants(of exchanges: [HARExchange], to request: inout ImportedRequest) {
        var names = UniqueNames()
        var leftOut = 0
        for variant in exchanges.compactMap(\.variant) {
            let isKnown = request.variants.contains { $0.status == variant.status && $0.body == variant.body }
            if isKnown { continue }
            guard request.variants.count < Self.mostVariants else {
                leftOut += 1
                continue
            }
            var variant = variant
            let isStandard = (200...299).contains(variant.status) && !names.contains("standard")
            variant.name = names.take(isStandard ? "standard" : "\(variant.status)")
            request.variants.append(variant)
        }
        if leftOut > 0 {
            notes.append(
                ConversionNote(
                    .lost, "an endpoint keeps at most \(Self.mostVariants) responses; the others are left out",
                    "\(leftOut) more",
                    at: request.place))
        }
    }

    /// Adds notes about later requests that differ from the first request.
    private mutating func noteDifferences(_ exchanges: [HARExchange]) {
        let first = exchanges[0].request
        for exchange in exchanges.dropFirst() {
            let request = exchange.request
            if request.body != first.body {
                notes.append(
                    ConversionNote(
                        .approximated, "the body is that of the first request; another request has another body",
                        at: request.place))
            }
            if request.headers != first.headers || request.auth != first.auth {
                notes.append(
                    ConversionNote(
                        .approximated, "the headers are those of the first request; other requests have other headers",
                        at: request.place))
            }
        }
    }
}

extension ImportedRequest {
    /// The document of a GraphQL request, whether its body is written as JSON or as GraphQL; nil for another request.
    fileprivate var graphQLText: String? {
        guard let members = body?.json?.objectMembers,
            members.contains(where: { ["variables", "operationName"].contains($0.name) }) || path.hasSuffix("graphql"),
            case .string(let query)? = members.first(where: { $0.name == "query" })?.value
        else { return nil }
        return query
    }
}
