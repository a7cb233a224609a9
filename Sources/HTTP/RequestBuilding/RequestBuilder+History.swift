/// The history of one part of a request: the operators that apply at the end, and the operators that no longer apply.
public struct RequestHistory: Sendable {
    /// The part, as the last operator spelt it.
    public fileprivate(set) var subject: RequestSubject
    /// The operators that apply at the end: the operator that set the part, and the operators that added to it afterwards.
    public fileprivate(set) var standing: [RequestOperator] = []
    /// The operators that were overridden or removed, the earliest first.
    public fileprivate(set) var shadowed: [RequestOperator] = []
    /// The operator that removed the part, if nothing set it again.
    public fileprivate(set) var removal: RequestOperator?
}

extension RequestBuilder {
    /// The history of each part that an operator changed, in the order in which the parts were first changed.
    ///
    /// ```swift
    /// for part in builder.history() {
    ///     print(part.subject, part.standing, "instead of", part.shadowed, part.removal as Any)
    /// }
    /// ```
    public func history() -> [RequestHistory] {
        let histories = historyWithBody()
        let hasBody = histories.contains { $0.subject == .body && !$0.standing.isEmpty }
        return hasBody ? histories : histories.filter { $0.standing.last?.bodyTie != .required }
    }

    /// The history, including a Content-Type that is sent only with a body, even if the request has no body.
    package func historyWithBody() -> [RequestHistory] {
        var places: [RequestSubject: Int] = [:]
        var histories: [RequestHistory] = []
        for step in operators {
            let subject = step.subject
            let place = places[subject] ?? histories.count
            if place == histories.count {
                places[subject] = place
                histories.append(RequestHistory(subject: subject))
            }
            histories[place].apply(step)
            // Replacing or removing the body removes the Content-Type that the old body implied.
            if subject == .body, step.bodyTie != .kept, let type = places[.header("Content-Type")] {
                histories[type].dropImplied(by: step)
            }
            // Replacing or removing the query removes its items.
            if case .query = subject, step.effect != .adds {
                for index in histories.indices { histories[index].dropQueryItem(by: step) }
            }
        }
        return histories
    }
}

extension RequestHistory {
    fileprivate mutating func apply(_ step: RequestOperator) {
        if step.bodyTie == .fallback, !standing.isEmpty || removal?.subject == subject { return }
        subject = step.subject
        switch step.effect {
        case .sets:
            shadow(with: nil)
            standing = [step]
        case .adds:
            removal = nil
            standing.append(step)
        case .removes:
            shadow(with: step)
        }
    }

    fileprivate mutating func dropImplied(by step: RequestOperator) {
        guard let implied = standing.first, implied.bodyTie == .implied, standing.count == 1 else { return }
        shadow(with: step)
    }

    fileprivate mutating func dropQueryItem(by step: RequestOperator) {
        if case .queryItem = subject, !standing.isEmpty { shadow(with: step) }
    }

    private mutating func shadow(with removal: RequestOperator?) {
        // A body operator that removed the implied Content-Type of an earlier body set no type itself, so it is not listed as
        // shadowed.
        if let earlier = self.removal, earlier.effect == .removes { shadowed.append(earlier) }
        shadowed += standing
        standing = []
        self.removal = removal
    }
}
