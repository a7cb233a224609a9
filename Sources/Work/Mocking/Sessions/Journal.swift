import ReqcliDefinitions
package import ReqcliText

/// One request and its result.
package struct JournalEntry: Sendable {
    /// The position among all requests, from 1.
    package let number: Int
    package let request: IncomingRequest
    private let located: LocatedEndpoint?
    private let content: MockAnswer.Content
    /// The status; nil for a fault of the connection, and while another server hasn't responded.
    package fileprivate(set) var status: Int?
    package let problems: [RequestReading.Problem]
    private let knownMask: RequestMask?
    /// The approximate memory of the entry in bytes.
    let size: Int

    /// The id of the endpoint.
    package var endpoint: String? { located?.id }
    /// The endpoint and the variant that responded.
    package var stub: String? { content.served?.name }
    /// Whether the body was longer than the part that is kept.
    package var isCut: Bool { request.isCut }

    /// The largest part of a body that is kept.
    static let bodyLimit = 64 << 10

    init(_ number: Int, _ answer: MockAnswer) {
        self.number = number
        let request = answer.request
        let isLonger = request.body.count > Self.bodyLimit
        self.request = isLonger ? request.keeping(bodyUpTo: Self.bodyLimit) : request
        located = answer.endpoint
        content = answer.content
        status = answer.status
        problems = answer.problems
        knownMask = answer.knownMask
        let own = self.request.size + (knownMask?.size ?? 0) + (content.refusal?.size ?? 0)
        size = problems.reduce(own) { $0 + $1.message.text.utf8.count + 64 }
    }

    /// The entry as JSON for a client that reads the journal, with credentials masked.
    package var json: OrderedJSON {
        func pairs(_ fields: [IncomingRequest.Field]) -> OrderedJSON? {
            fields.isEmpty ? nil : .array(fields.map { .array([.string($0.name), .string($0.value)]) })
        }
        return .object([
            "number": .int(number), "session": .string(mask.session(of: request)), "method": .string(request.method),
            "path": .string(mask.path(of: request)), "query": pairs(mask.query(of: request)),
            "headers": pairs(mask.headers(of: request)), "body": mask.body(of: request),
            "bodyIsCut": isCut ? .bool(true) : nil, "endpoint": endpoint.map { .string($0) },
            "stub": stub.map { .string($0) }, "status": status.map { .int($0) }, "reason": reason, "near": near,
            "problems": shownProblems,
        ])
    }

    /// The entry without headers and body.
    var summary: OrderedJSON {
        .object([
            "number": .int(number), "session": .string(mask.session(of: request)), "method": .string(request.method),
            "target": .string(mask.target(of: request)), "endpoint": endpoint.map { .string($0) },
            "stub": stub.map { .string($0) }, "status": status.map { .int($0) }, "reason": reason, "near": near,
            "problems": shownProblems,
        ])
    }

    private var mask: RequestMask { knownMask ?? RequestMask.none }

    /// The reason why the server itself has responded.
    private var reason: OrderedJSON? {
        content.refusal.flatMap { $0.title.text.isEmpty ? nil : .string(mask.text($0.title)) }
    }

    private var near: OrderedJSON? {
        guard let near = content.refusal?.near, !near.isEmpty else { return nil }
        return .array(
            near.map { miss in
                .object([
                    "endpoint": .string(miss.endpoint.id), "request": .string("\(miss.method) \(miss.path)"),
                    "difference": .string(mask.text(miss.difference)),
                ])
            })
    }

    private var shownProblems: OrderedJSON? {
        problems.isEmpty ? nil : .array(problems.map { .string(mask.text($0.message)) })
    }
}

/// The last requests: at most 1,000, and no more than fit into 64 MiB with everything that is kept of each.
struct Journal {
    private let limit: Int
    private let sizeLimit: Int
    /// A ring buffer: the index of an entry is its number modulo the limit.
    private var slots: [JournalEntry?]
    private var oldest = 1
    private(set) var lastNumber = 0
    private var size = 0
    private var nearSearches: (second: Int64, count: Int) = (0, 0)

    init(limit: Int = 1000, sizeLimit: Int = 64 << 20) {
        (self.limit, self.sizeLimit) = (limit, sizeLimit)
        slots = Array(repeating: nil, count: limit)
    }

    mutating func add(_ answer: MockAnswer) {
        lastNumber += 1
        let entry = JournalEntry(lastNumber, answer)
        size += entry.size
        while lastNumber - oldest >= limit || (size > sizeLimit && oldest < lastNumber) { dropOldest() }
        slots[lastNumber % limit] = entry
    }

    private mutating func dropOldest() {
        let slot = oldest % limit
        oldest += 1
        guard let entry = slots[slot].take() else { return }
        size -= entry.size
    }

    /// Notes the status of a request, unless the request already has a status.
    mutating func complete(_ number: Int, status: Int) {
        guard number >= oldest, number <= lastNumber, slots[number % limit]?.status == nil else { return }
        slots[number % limit]?.status = status
    }

    /// The entries with a higher number, in their order.
    func entries(after number: Int) -> [JournalEntry] {
        let first = max(oldest, number < Int.max ? number + 1 : number)
        guard first <= lastNumber else { return [] }
        return (first...lastNumber).compactMap { slots[$0 % limit] }
    }

    /// Forgets the entries of a session.
    mutating func forget(_ session: String) {
        for index in slots.indices {
            guard let entry = slots[index], entry.request.session == session else { continue }
            size -= entry.size
            slots[index] = nil
        }
    }

    /// Whether a search for the nearest endpoints is allowed now. A search takes time, so only 20 searches are allowed per
    /// second.
    mutating func mayLookForNear(now: Duration) -> Bool {
        let second = now.components.seconds
        if nearSearches.second != second { nearSearches = (second, 0) }
        nearSearches.count += 1
        return nearSearches.count <= 20
    }
}

extension MockAnswer.Refusal {
    /// The approximate memory of the refusal in bytes.
    fileprivate var size: Int {
        near.reduce(title.text.utf8.count + 64) { $0 + $1.path.utf8.count + $1.difference.text.utf8.count + 128 }
    }
}
