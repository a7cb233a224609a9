import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A load test as data: the requests to send, with what each one needs, expects and captures. The files for all tools have the same
/// plan as a literal, next to code that is the same for every workspace.
///
/// A text of the plan is a string or, with values that are only known when the request is sent, a list of strings and objects.
struct LoadPlan {
    /// Scheme, host and port of the environment's server; empty if a part of it is open.
    private let host: String
    private(set) var steps: [OrderedJSON] = []
    /// The environment variables that must be set to run the load test.
    private(set) var variables: [String] = []
    private let requests: ExportedRequests
    private var notes: [ConversionNote] = []
    /// The id of each step, by the key of its request.
    private let ids: [String: String]

    /// Nil if there is no request to send.
    ///
    /// - Parameter codings: The content codings that the tool can decode; nil if it can decode all codings that reqcli accepts.
    init?(_ requests: ExportedRequests, codings: String? = nil, _ notes: inout [ConversionNote]) {
        let weights = requests.source.options[LoadWeights.self]
        let tasks = requests.all.filter { weights[$0] != 0 }
        guard !tasks.isEmpty else {
            notes.append(ConversionNote(.toDo, "each endpoint that can be sent has the weight 0", at: nil))
            return nil
        }
        self.requests = requests
        let origin = String((requests.maker.base()?.url ?? "").origin)
        host = OrderedJSON.string(origin).hasOpenValues ? "" : origin
        let entries = requests.withNeeds(of: tasks)
        ids = Dictionary(entries.map { ($0.request.key, $0.id) }, uniquingKeysWith: { first, _ in first })
        let keys = Set(tasks.map(\.key))
        for (id, request) in entries {
            let weight = keys.contains(request.key) ? weights[request] : nil
            steps.append(step(id, request, weight: weight, codings, &notes))
        }
        notes += self.notes
    }

    var value: OrderedJSON {
        .object([
            "host": .string(host),
            "variables": .array(variables.map { .string($0) }),
            "steps": .array(steps),
        ])
    }

    /// The code that is the same for every workspace, with the plan as a literal.
    func program(_ runtime: [UInt8], _ literal: LiteralPrinter) -> String {
        let code = String(decoding: runtime, as: UTF8.self)
        return code.replacing(literal.string("PLAN"), with: literal.text(value), maxReplacements: 1)
    }

    // MARK: Steps

    private mutating func step(
        _ id: String, _ request: OpenRequest, weight: Int?, _ codings: String?, _ notes: inout [ConversionNote]
    ) -> OrderedJSON {
        if request.request.transfer.challengeAccount != nil {
            notes.append(request.note(.lost, "digest credentials are not converted"))
        }
        let message = WireMessage(
            request.request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: { _ in 0 })
        let response = ResponsePlan(request, requests, &notes)
        let origin = String(request.url.origin)
        let redirects = request.request.transfer.redirects
        let needs = request.needs.compactMap { need in
            ids[need.request.key].map { id in
                OrderedJSON.object(["step": .string(id), "refresh": .array(need.refreshOn.map { .int($0) })])
            }
        }
        let headers = headers(message, of: request, codings, &notes)
        let statuses = response.statuses.isEmpty ? [100...399] : response.statuses
        // k6 keeps the checks of a step by their titles.
        var titles = UniqueNames(separator: " ")
        var checks = [response.maximumTime.map(limit)].compactMap(\.self)
        for check in response.checks { checks.append(self.check(check, titled: titles.take(check.title), request)) }
        return .object([
            "id": .string(id), "weight": weight.map { .int($0) },
            "tags": list(request.endpoint.tags.map { .string($0) }), "needs": list(needs),
            "method": .string(request.method), "server": origin == host ? nil : text(origin, request),
            "path": text(message.target, request), "headers": .array(headers), "body": body(request, &notes),
            "redirects": redirects.isFollowing ? .int(redirects.maximum) : nil,
            "statuses": .array(statuses.map { [.int($0.lowerBound), .int($0.upperBound)] }),
            "checks": list(checks),
            "captures": list(
                response.captures.map { name, source in .object(["name": .string(name), "part": part(source)]) }),
        ])
    }

    private func list(_ elements: [OrderedJSON]) -> OrderedJSON? { elements.isEmpty ? nil : .array(elements) }

    // MARK: Headers and body

    /// The headers, each name once, with its value.
    private mutating func headers(
        _ message: WireMessage, of request: OpenRequest, _ codings: String?, _ notes: inout [ConversionNote]
    ) -> [OrderedJSON] {
        let own = Set(request.headers.map { $0.name.lowercased() })
        var headers: [(name: String, values: [String])] = []
        for field in message.headers {
            let key = field.name.lowercased()
            // The tools set these two headers from the URL and the body, as reqcli does.
            if ["host", "content-length"].contains(key), !own.contains(key) { continue }
            let value = key == "accept-encoding" && !own.contains(key) ? codings ?? field.value : field.value
            if let index = headers.firstIndex(where: { $0.name.lowercased() == key }) {
                headers[index].values.append(value)
                notes.append(
                    request.note(
                        .approximated, "a header that repeats is sent once, with its values separated by commas",
                        part: field.name))
            } else {
                headers.append((field.name, [value]))
            }
        }
        return headers.map { name, values in
            let value = values.joined(separator: ", ")
            return [.string(name), account(inHeader: name, value, request) ?? text(value, request)]
        }
    }

    /// A header with Basic credentials of which a part is open; nil for any other header.
    private mutating func account(inHeader name: String, _ value: String, _ request: OpenRequest) -> OrderedJSON? {
        guard name.lowercased() == "authorization", let account = OpenRequest.account(inBasic: value),
            [account.user, account.password].contains(where: { OrderedJSON.string($0).hasOpenValues })
        else { return nil }
        return [.object(["basic": [text(account.user, request), text(account.password, request)]])]
    }

    /// The largest size of a file that is written into the load test, in bytes. The machines that run the load test don't have
    /// the file itself.
    private static let largestFile = 1 << 20

    private mutating func body(_ request: OpenRequest, _ notes: inout [ConversionNote]) -> OrderedJSON? {
        guard let body = request.request.body else { return nil }
        var bytes: [UInt8] = []
        for piece in body.pieces {
            switch piece {
            case .data(let data): bytes += data
            case .file(let path):
                guard let data = try? requests.source.workspace.files.read(path, Self.largestFile) else {
                    notes.append(
                        request.note(
                            .lost, "a body with a file that is missing, or larger than 1 MiB, is not converted"))
                    return nil
                }
                bytes += data
            }
        }
        guard let raw = String(validating: bytes, as: UTF8.self) else {
            return .object(["base64": .string(Data(bytes).base64EncodedString())])
        }
        if !OrderedJSON.string(raw).hasOpenValues { return .object(["text": .string(raw)]) }
        if request.bodyJSON != nil { return .object(["json": json(raw, request)]) }
        let isForm = (request.contentType ?? "").hasPrefix("application/x-www-form-urlencoded")
        return .object([isForm ? "form" : "text": text(raw, request)])
    }

    // MARK: Texts

    private mutating func text(_ raw: String, _ request: OpenRequest) -> OrderedJSON {
        let pieces = StandIn.pieces(of: raw)
        guard pieces.contains(where: { $0.value != nil }) else { return .string(raw) }
        return .array(
            pieces.map { piece in
                switch piece {
                case .literal(let text): .string(text)
                case .open(let value): self.value(value, request)
                }
            })
    }

    /// A JSON text. A captured value that is a whole string of it may have any type, and replaces the string with its quotes.
    private mutating func json(_ raw: String, _ request: OpenRequest) -> OrderedJSON {
        let pieces = StandIn.jsonPieces(of: raw) { if case .capture = $0 { true } else { false } }
        return .array(
            pieces.map { piece, isWhole in
                switch piece {
                case .literal(let text): .string(text)
                case .open(let open): value(open, request, isWhole: isWhole)
                }
            })
    }

    private mutating func value(_ value: OpenValue, _ request: OpenRequest, isWhole: Bool = false) -> OrderedJSON {
        switch value {
        case .secret(let name): return variable(requests.source.variable(ofSecret: name))
        case .processVariable(let name): return variable(name)
        // A secret param is read from an environment variable, like a secret.
        case .parameter(let name), .variable(let name): return variable(VariableNames.environment(name))
        case .capture(let alias, let name):
            guard let need = request.needs.first(where: { $0.alias == alias }), let id = ids[need.request.key],
                let capture = need.request.endpoint.definition.captures[named: name],
                requests.abilities.source(of: capture) != nil
            else { return isWhole ? "null" : "" }
            return .object(["captured": [.string(id), .string(name)], "whole": isWhole ? true : nil])
        case .generated(let generated):
            return .object(["generated": .string(String(generated.rawValue.dropFirst()))])
        case .computed(let text, _):
            notes.append(request.noteOnFunctions(text))
            return variable(VariableNames.environment(value.name))
        }
    }

    private mutating func variable(_ name: String) -> OrderedJSON {
        if !variables.contains(name) { variables.append(name) }
        return .object(["env": .string(name)])
    }

    // MARK: Responses

    private func limit(_ milliseconds: Int) -> OrderedJSON {
        .object([
            "title": .string("takes at most \(milliseconds) ms"), "part": ["time"], "operator": "<=",
            "operand": .int(milliseconds),
        ])
    }

    private mutating func check(_ check: ResponseCheck, titled title: String, _ request: OpenRequest) -> OrderedJSON {
        let subject: OrderedJSON =
            switch check.subject {
            case .header(let name): ["header", .string(name)]
            case .body: ["body"]
            case .json(_, let steps): ["json", Self.list(steps)]
            }
        let isOpen = check.operand.hasOpenValues
        return .object([
            "title": .string(title), "part": subject, "operator": .string(check.operation.rawValue),
            "operand": isOpen ? nil : check.operand,
            "operandJSON": isOpen ? json(check.operand.compact, request) : nil, "negated": check.isNegated ? true : nil,
        ])
    }

    private func part(_ source: CaptureSource) -> OrderedJSON {
        switch source {
        case .json(_, let steps): ["json", Self.list(steps)]
        case .header(let name, let pattern):
            .array(["header", .string(name)] + (pattern.map { [.string($0)] } ?? []))
        case .cookie(let name): ["cookie", .string(name)]
        case .body: ["body"]
        case .status, .url: ["status"]
        }
    }

    /// The steps of a path; null means each item of a list.
    private static func list(_ steps: [MemberPath.Step]) -> OrderedJSON {
        .array(
            steps.map { step in
                switch step {
                case .member(let name): .string(name)
                case .index(let index): .int(index)
                case .everyItem: .null
                }
            })
    }
}

extension ExportSource {
    /// The environment variable from which a load test reads a secret.
    fileprivate func variable(ofSecret name: String) -> String {
        if case .processVariable(let variable)? = environment.secrets[named: name]?.set { return variable.value }
        return VariableNames.environment(name)
    }
}

extension ToolAbilities {
    /// What the code for load tests can do. A load test is for one environment.
    static let loadTest = ToolAbilities(
        features: [
            .needs, .captures, .headers, .maxTime, .body, .json, .types, .redirects, .environments, .policy,
        ], operations: .common.union([.length, .in, .empty]), takesEveryItem: true,
        captures: [.member, .header, .match, .cookie, .body, .status])
}

/// How often a load test calls each endpoint, relative to the others.
package struct LoadWeights: ExportChoice {
    /// The weights by the ids of endpoints; 1 for all other endpoints.
    package var byEndpoint: [String: Int] = [:]

    package static let standard = LoadWeights()

    subscript(request: OpenRequest) -> Int { byEndpoint[request.endpoint.id] ?? 1 }
}
