import Definitions
package import SourceText

/// One request, and what came of it.
package struct JournalEntry: Sendable {
    /// The place among all requests, from 1.
    package let number: Int
    package let request: IncomingRequest
    /// The id of the endpoint.
    package let endpoint: String?
    /// The endpoint and the variant that responded.
    package let stub: String?
    /// Nil for a fault of the connection, and while another server hasn't responded.
    package fileprivate(set) var status: Int?
    package let problems: [RequestReading.Problem]
    /// Whether the body was longer.
    package var isCut: Bool { request.isCut }
    let mask: RequestMask

    /// The largest part of a body that is kept.
    static let bodyLimit = 64 << 10

    init(_ number: Int, _ request: IncomingRequest, _ answer: MockAnswer) {
        self.number = number
        let isLonger = request.body.count > Self.bodyLimit
        self.request = isLonger ? request.keeping(bodyUpTo: Self.bodyLimit) : request
        endpoint = answer.endpoint?.id
        stub = answer.stub
        status = answer.status
        problems = answer.problems
        mask = answer.mask
    }

    /// The method and the path.
    var summary: String { "\(request.method) \(mask.path(of: request))" }

    /// The entry for reading, with credentials masked.
    package var json: OrderedJSON {
        func pairs(_ fields: [IncomingRequest.Field]) -> OrderedJSON? {
            fields.isEmpty ? nil : .array(fields.map { .array([.string($0.name), .string($0.value)]) })
        }
        return .object([
            "number": .int(number), "session": .string(request.session), "method": .string(request.method),
            "path": .string(mask.path(of: request)), "query": pairs(mask.query(of: request)),
            "headers": pairs(mask.headers(of: request)), "body": mask.body(of: request),
            "bodyIsCut": isCut ? .bool(true) : nil, "endpoint": endpoint.map { .string($0) },
            "stub": stub.map { .string($0) }, "status": status.map { .int($0) },
            "problems": problems.isEmpty ? nil : .array(problems.map { .string(mask.text($0.message)) }),
        ])
    }
}

/// The last requests: 1,000, or as many as take 64 MiB.
struct Journal {
    private static let limit = 1000
    private static let sizeLimit = 64 << 20

    /// A ring: an entry stands at its number modulo the limit.
    private var slots = [JournalEntry?](repeating: nil, count: limit)
    private var oldest = 1
    private(set) var lastNumber = 0
    private var size = 0
    private var nearSearches: (second: Int64, count: Int) = (0, 0)

    mutating func add(_ request: IncomingRequest, _ answer: MockAnswer) -> JournalEntry {
        lastNumber += 1
        let entry = JournalEntry(lastNumber, request, answer)
        size += entry.request.size
        while lastNumber - oldest >= Self.limit || (size > Self.sizeLimit && oldest < lastNumber) { dropOldest() }
        slots[lastNumber % Self.limit] = entry
        return entry
    }

    private mutating func dropOldest() {
        size -= slots[oldest % Self.limit]?.request.size ?? 0
        slots[oldest % Self.limit] = nil
        oldest += 1
    }

    /// Notes a status; the first one counts.
    mutating func complete(_ number: Int, status: Int) {
        guard number >= oldest, number <= lastNumber, slots[number % Self.limit]?.status == nil else { return }
        slots[number % Self.limit]?.status = status
    }

    /// The entries with a higher number, in their order.
    func entries(after number: Int) -> [JournalEntry] {
        let first = max(oldest, number < Int.max ? number + 1 : number)
        guard first <= lastNumber else { return [] }
        return (first...lastNumber).compactMap { slots[$0 % Self.limit] }
    }

    /// Forgets the entries of a session.
    mutating func forget(_ session: String) {
        for index in slots.indices {
            guard let entry = slots[index], entry.request.session == session else { continue }
            size -= entry.request.size
            slots[index] = nil
        }
    }

    /// Whether the nearest endpoints may be looked for, which takes time: 20 times a second.
    mutating func mayLookForNear(now: Duration) -> Bool {
        let second = now.components.seconds
        if nearSearches.second != second { nearSearches = (second, 0) }
        nearSearches.count += 1
        return nearSearches.count <= 20
    }
}
