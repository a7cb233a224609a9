import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// What is expected of a response and kept from it, as far as a tool can express it.
struct ResponsePlan {
    let request: OpenRequest
    /// The expected statuses; empty if the request has no expectation.
    let statuses: [ClosedRange<Int>]
    /// The longest time in milliseconds.
    private(set) var maximumTime: Int?
    /// The JSON Schema that the whole body fits.
    private(set) var schema: JSONValue?
    private(set) var checks: [ResponseCheck] = []
    private(set) var captures: [(name: String, source: CaptureSource)] = []

    /// - Parameter notes: Gets a note about each condition and capture that the tool lacks, unless it lacks the whole feature: such
    ///   features are noted elsewhere.
    init(_ request: OpenRequest, _ requests: ExportedRequests, _ notes: inout [ConversionNote]) {
        let abilities = requests.abilities
        self.request = request
        statuses = request.statuses
        for part in request.expectation?.parts ?? [] where abilities.features.contains(part.feature) {
            switch part.content {
            case .maximumTime(let time): maximumTime = Int(time / .milliseconds(1))
            case .schema(let matcher): if case .plain(let source) = matcher.operand { schema = source }
            case .conditions(let subject, let matchers):
                if let lack = abilities.lack(of: subject) {
                    lose(lack, at: part.place, &notes)
                } else if let subject {
                    add(subject, matchers, requests, &notes)
                }
            case .other: break
            }
        }
        guard abilities.features.contains(.captures) else { return }
        for capture in request.endpoint.definition.captures {
            if let source = abilities.source(of: capture.value) {
                captures.append((capture.name, source))
            } else {
                notes.append(
                    request.note(
                        .lost, "captures of this kind are not converted", part: capture.name, at: capture.namePlace))
            }
        }
    }

    private mutating func add(
        _ subject: ResponseCheck.Subject, _ matchers: [Matcher], _ requests: ExportedRequests,
        _ notes: inout [ConversionNote]
    ) {
        let values = requests.maker.fill(matchers.map(\.operand), for: request)
        for (matcher, value) in zip(matchers, values) {
            let check = value.map {
                ResponseCheck(subject: subject, operation: matcher.operation, operand: $0, isNegated: matcher.isNegated)
            }
            if let check, check.operand.hasGeneratedValues {
                lose("conditions with a generated value", at: matcher.place, &notes)
            } else if let simple = check?.simple(for: requests.abilities) {
                checks += simple
            } else {
                lose("conditions with \"\(matcher.operation.rawValue)\"", at: matcher.place, &notes)
            }
        }
    }

    private func lose(_ what: String, at place: Place, _ notes: inout [ConversionNote]) {
        notes.append(request.note(.lost, "\(what) are not converted", at: place))
    }
}

/// A condition of `expect`. The operand of the condition is filled with the values of a request; open values stay open.
struct ResponseCheck {
    enum Subject {
        case header(String)
        case body
        case json(path: String, steps: [MemberPath.Step])
    }

    let subject: Subject
    let operation: Matcher.Operation
    let operand: OrderedJSON
    let isNegated: Bool

    /// The check for a person: `header Content-Type not equals`, `$.items length >`.
    var title: String {
        let subject =
            switch subject {
            case .header(let name): "header \(name)"
            case .body: "body"
            case .json(let path, _): path
            }
        var limit = ""
        if operation == .length, case .object(let limits) = operand { limit = " \(limits[0].name)" }
        return "\(subject) \(isNegated ? "not " : "")\(operation.rawValue)\(limit)"
    }

    private func with(_ operation: Matcher.Operation, _ operand: OrderedJSON, isNegated: Bool) -> ResponseCheck {
        ResponseCheck(subject: subject, operation: operation, operand: operand, isNegated: isNegated)
    }

    /// Checks with the same meaning that the tool has, such as two checks for two limits of a length. Nil if there are none.
    fileprivate func simple(for abilities: ToolAbilities) -> [ResponseCheck]? {
        guard abilities.operations.contains(operation) else { return nil }
        switch (operation, operand) {
        case (.type, "null") where abilities.operations.contains(.equals):
            return [with(.equals, .null, isNegated: isNegated)]
        case (.length, .object(let limits)):
            if isNegated, limits.count > 1 { return nil }
            return limits.map { with(.length, .object([$0]), isNegated: isNegated) }
        case (_, .array), (_, .object): return abilities.comparesCollections ? [self] : nil
        default: return [self]
        }
    }
}

extension OrderedJSON {
    /// Whether the value contains a stand-in of a value that is generated for each request. No response can have a new one.
    fileprivate var hasGeneratedValues: Bool {
        StandIn.pieces(of: compact).contains { $0.value?.isGenerated == true }
    }
}

extension OpenRequest {
    /// The expected statuses and classes of statuses, in ascending order; empty if the request has no expectation.
    var statuses: [ClosedRange<Int>] {
        guard let expectation else { return [] }
        guard let stated = expectation.status?.value else { return [200...299] }
        return stated.map { $0.range.lowerBound...$0.range.upperBound }.sorted { $0.lowerBound < $1.lowerBound }
    }
}
