/// A placeholder in the list of operators. It is replaced by the operators that a closure makes when the request is made.
package struct DeferredOperators: Sendable {
    let parts: [Part]
    let make: @Sendable (RequestValues) throws -> RequestBuilder

    /// A part of the request that the operators change.
    package struct Part: Sendable {
        package let subject: RequestSubject
        /// The value as written, which the history shows where a later operator replaces the part.
        let written: @Sendable () -> String
        let bodyTie: RequestOperator.BodyTie

        package init(
            _ subject: RequestSubject, bodyTie: RequestOperator.BodyTie = .none,
            written: @escaping @Sendable () -> String
        ) {
            self.subject = subject
            self.written = written
            self.bodyTie = bodyTie
        }
    }
}

/// Thrown by a closure of deferred operators if one of their values is not known. The code that throws this error reports the
/// reason itself.
package struct ValueUnknown: Error {
    package init() {}
}

extension RequestBuilder {
    /// Appends the operators that `make` returns when the request is made. If later operators replace all of `parts`, `make` is
    /// not called. If `parts` is empty, `make` is always called.
    ///
    /// - Parameter make: Makes the operators. If it returns none, the parts keep the values that earlier operators give them.
    package func deferred(
        _ parts: [DeferredOperators.Part], _ make: @escaping @Sendable (RequestValues) throws -> RequestBuilder
    ) -> RequestBuilder {
        appending(
            "deferred", parts.first?.subject ?? .other("deferred operators"), value: nil,
            .deferred(DeferredOperators(parts: parts, make: make)))
    }

    /// The result of making a builder's deferred operators. Some of them aren't made, because later operators replace all their
    /// parts or because a value is unknown. In their place, the builder has operators that only show the values as written.
    package struct Resolved {
        package let builder: RequestBuilder
        /// The parts of the request whose values are unknown.
        package let unknown: Set<RequestSubject>
        let problems: [RequestBuildingError]
    }

    /// Makes the deferred operators, from the last to the first, because a later operator decides whether an earlier one is
    /// needed.
    package func resolved(_ values: RequestValues) -> Resolved {
        guard operators.contains(where: { $0.deferred != nil }) else {
            return Resolved(builder: self, unknown: [], problems: [])
        }
        var resolution = Resolution(values: values)
        resolution.remaining.reserveCapacity(operators.count)
        resolution.add(operators)
        return Resolved(
            builder: RequestBuilder(resolution.remaining.reversed()), unknown: resolution.unknown,
            problems: resolution.problems.reversed())
    }
}

/// Collects the operators that remain after the deferred operators were made, from the last to the first.
private struct Resolution {
    let values: RequestValues
    var remaining: [RequestOperator] = []
    var unknown: Set<RequestSubject> = []
    var problems: [RequestBuildingError] = []
    private var replaced: Set<RequestSubject> = []

    init(values: RequestValues) { self.values = values }

    mutating func add(_ operators: [RequestOperator]) {
        for step in operators.reversed() {
            guard let deferred = step.deferred else {
                remaining.append(step)
                if step.effect != .adds, step.bodyTie != .fallback { replaced.insert(step.subject) }
                continue
            }
            if isReplaced(deferred) {
                remaining += deferred.asWritten(from: step.origin)
                continue
            }
            do {
                add(try deferred.make(values).operators)
            } catch is ValueUnknown {
                // An earlier layer must not give the value instead, so its operators for these parts count as replaced.
                unknown.formUnion(deferred.parts.map(\.subject))
                replaced.formUnion(deferred.parts.map(\.subject))
                remaining += deferred.asWritten(from: step.origin)
            } catch {
                problems.append(step.failure(error))
            }
        }
    }

    private func isReplaced(_ deferred: DeferredOperators) -> Bool {
        var hasOwn = false
        for part in deferred.parts where part.bodyTie != .implied {
            if !isReplaced(part.subject) { return false }
            hasOwn = true
        }
        return hasOwn
    }

    private func isReplaced(_ subject: RequestSubject) -> Bool {
        if replaced.contains(subject) { return true }
        // A whole query replaces the items before it.
        if case .queryItem = subject { return replaced.contains(.query) }
        return false
    }
}

extension DeferredOperators {
    /// Operators that show the parts as they are written. They keep the order of headers and query items, and the Content-Type that
    /// a body implies.
    ///
    /// They are in reverse order, as `Resolution` collects them.
    fileprivate func asWritten(from origin: Origin?) -> [RequestOperator] {
        RequestBuilder().withOrigin(origin) { parts.reduce($0) { $0.written($1) } }.operators.reversed()
    }
}

extension RequestBuilder {
    fileprivate func written(_ part: DeferredOperators.Part) -> RequestBuilder {
        let written = part.written()
        let step: RequestOperator.Step =
            switch part.subject {
            case .header(let name):
                .request { $0.setHeader(name, [part.bodyTie == .implied ? written : ""], bodyTie: part.bodyTie) }
            case .query: .url { $0.setRawQuery("") }
            case .queryItem(let name): .url { $0.setQueryItem(name, [""]) }
            case .body: .request { $0.setBody(nil) }
            default: .request { _ in }
            }
        return appending("written", part.subject, value: written, bodyTie: part.bodyTie, step)
    }
}
