import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

extension MockEngine {
    /// The endpoints with their variants, and the choices and calls of a session.
    func overview(of session: String) -> OrderedJSON {
        let (served, known, problems, changes) = withState { state in
            (state.served, state.sessions.known(session) ?? MockSession(), state.problems, state.changes)
        }
        let endpoints = served.router.patterns.map { pattern in
            let endpoint = pattern.endpoint
            let variants = served.variants(of: endpoint.id)
            return OrderedJSON.object([
                "id": .string(endpoint.id), "variants": .array((variants?.names ?? []).map { .string($0) }),
                "chosen": known.choices[endpoint.id].flatMap { served.has($0, of: endpoint.id) ? .string($0) : nil },
                "calls": .int(known.calls[endpoint.id]?.all ?? 0),
                "validCalls": .int(known.calls[endpoint.id]?.valid ?? 0),
                "default": (served.chosen(for: endpoint) ?? variants?.fallback(rest: served.rest)).map { .string($0) },
                "method": .string(pattern.method), "path": .string(pattern.shownPath),
                "description": endpoint.definition.summary.map { .string($0) },
                "params": endpoint.parameters.isEmpty ? nil : .array(endpoint.parameters.map(Self.described)),
            ])
        }
        return .object([
            "session": .string(session), "endpoints": .array(endpoints), "requests": .int(known.total),
            "problems": .array(problems.map { .string($0.described) }), "changes": .int(changes),
        ])
    }

    private static func described(_ parameter: Named<Parameter>) -> OrderedJSON {
        let definition = parameter.value
        let single = definition.single
        let values: [OrderedJSON]? =
            single.kind == .boolean ? [.bool(true), .bool(false)] : single.allowed?.map(\.value)
        let sample = definition.defaultValue ?? definition.example ?? definition.allowed?.first
        return .object([
            "name": .string(parameter.name), "type": .string(definition.kind.rawValue),
            "required": .bool(definition.isRequired), "secret": definition.isSecret ? .bool(true) : nil,
            "description": definition.summary.map { .string($0) },
            "example": definition.isSecret ? nil : sample?.value,
            "values": definition.isSecret ? nil : values.map { .array($0) },
        ])
    }

    /// Chooses variants for endpoints. Each pattern is the id of an endpoint, a group or a pattern of ids. If `variant` is nil,
    /// the choice is removed.
    ///
    /// - Returns: The reason why nothing was chosen; nil if all choices were made.
    package func choose(_ choices: [(pattern: String, variant: String?)], session: String) -> String? {
        withState { state in
            var chosen = state.sessions.known(session)?.choices ?? [:]
            for (pattern, variant) in choices {
                let endpoints = state.served.endpoints(named: pattern)
                if endpoints.isEmpty { return state.served.complaint(about: pattern) ?? pattern }
                guard let variant else {
                    for endpoint in endpoints { chosen[endpoint.id] = nil }
                    continue
                }
                let stubbed = endpoints.compactMap { state.served.variants(of: $0.id) }
                if stubbed.isEmpty { return "\(endpoints[0].id) has no stub variants" }
                for each in stubbed {
                    if !each.names.contains(variant) { return each.complaint(about: variant).text }
                    chosen[each.endpoint.id] = variant
                }
            }
            state.sessions[session].choices = chosen
            state.changes += 1
            return nil
        }
    }

    /// Forgets the choices, turns, counts and requests of a session.
    package func reset(session: String) {
        withState { state in
            state.sessions[session].reset()
            state.changes += 1
            state.journal.forget(session)
        }
    }

    /// The last requests of a session.
    package func requests(of endpoint: String? = nil, session: String, after number: Int = 0) -> [JournalEntry] {
        withState { state in
            state.journal.entries(after: number).filter {
                $0.request.session == session && (endpoint == nil || $0.endpoint == endpoint)
            }
        }
    }

    /// The endpoints that have variants, with the names of the variants and the variant that a session has chosen.
    package func variants(session: String) -> [(endpoint: String, names: [String], chosen: String?)] {
        withState { state in
            let choices = state.sessions.known(session)?.choices ?? [:]
            return state.served.endpoints.compactMap { endpoint in
                state.served.variants(of: endpoint.id).map { (endpoint.id, $0.names, choices[endpoint.id]) }
            }
        }
    }

    /// A choice that changes a response, such as `user.feed=empty`; nil if all endpoints have only their default variants.
    package var exampleChoice: String? {
        withState { state in
            let served = state.served
            return served.endpoints.lazy.compactMap { endpoint in
                guard let variants = served.variants(of: endpoint.id) else { return nil }
                let standard = served.chosen(for: endpoint) ?? variants.fallback(rest: served.rest)
                return variants.names.first { $0 != standard }.map { "\(endpoint.id)=\($0)" }
            }.first
        }
    }

    /// Notes a difference between a variant and the response of another server in a session. The same difference is noted only
    /// once.
    package func addDrift(_ text: String, session: String) { withState { $0.sessions[session].addDrift(text) } }

    /// The number of requests since the start.
    package var requestCount: Int { withState { $0.journal.lastNumber } }

    /// The number of calls of an endpoint in a session.
    package func callCount(of endpoint: String, session: String) -> Int {
        withState { $0.sessions.known(session)?.calls[endpoint]?.all ?? 0 }
    }

    /// The message about an unknown id of an endpoint; nil if an endpoint has this id.
    package func complaint(aboutEndpoint id: String) -> String? {
        withState { state in
            state.served.complaint(about: id)
        }
    }
}

extension ServedEndpoints {
    /// The endpoints that an id, a group or a pattern names.
    fileprivate func endpoints(named text: String) -> [LocatedEndpoint] {
        let glob = Glob(text)
        return endpoints.filter { glob.matches($0.id) || glob.isLiteral && $0.id.hasPrefix(text + ".") }
    }

    /// The message about an unknown id of an endpoint; nil if an endpoint has this id.
    package func complaint(about id: String) -> String? {
        if endpoints.contains(where: { $0.id == id }) { return nil }
        let question = NearNames.question(for: id, among: endpoints.map(\.id))
        return "no endpoint \(id.quoted) is served" + (question.map { ": \($0)" } ?? "")
    }
}

extension Diagnostic {
    /// The problem in one line, with its place.
    package var described: String { (place?.description ?? fileName).map { "\($0): \(message)" } ?? message }
}
