import ReqcliText

/// The statuses that several conditions accept together.
struct StatusSet {
    private var statuses: Set<Int>?

    /// Whether there is no condition on the status.
    var isAny: Bool { statuses == nil }

    mutating func narrow(to isAccepted: (Int) -> Bool) {
        statuses = (statuses ?? Set(100...599)).filter(isAccepted)
    }

    /// Statuses and classes such as `2xx`. Nil if there is no status, or if there are more than 10 single statuses.
    var values: [OrderedJSON]? {
        guard let statuses else { return nil }
        var values: [OrderedJSON] = []
        var singles = 0
        for hundred in 1...5 {
            let codes = (hundred * 100..<hundred * 100 + 100).filter { statuses.contains($0) }
            if codes.count == 100 {
                // Responses with 1xx are never final, so the class is left out.
                if hundred > 1 { values.append(.string("\(hundred)xx")) }
            } else {
                singles += codes.count
                values += codes.map { .int($0) }
            }
        }
        return values.isEmpty || singles > 10 ? nil : values
    }
}

extension OrderedJSON {
    /// A duration: `2s`, `800ms`.
    static func milliseconds(_ count: Int) -> OrderedJSON {
        .string(count > 0 && count % 1000 == 0 ? "\(count / 1000)s" : "\(count)ms")
    }
}
