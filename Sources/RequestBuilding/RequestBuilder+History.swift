/// What became of one part of a request: what stands there at the end, and what does not any more.
public struct RequestHistory: Sendable {
    /// The part, spelt as the last operator spelt it.
    public fileprivate(set) var subject: RequestSubject
    /// What stands there at the end: one operator that set it, and those that added to it since.
    public fileprivate(set) var standing: [RequestOperator] = []
    /// What stood there and gave way, the earliest first.
    public fileprivate(set) var shadowed: [RequestOperator] = []
    /// The operator that took it away, where nothing stands there since.
    public fileprivate(set) var removal: RequestOperator?
}

extension RequestBuilder {
    /// The story of each part that an operator touched, in the order in which they were first touched.
    ///
    /// ```swift
    /// for part in builder.history() {
    ///     print(part.subject, part.standing, "instead of", part.shadowed, part.removal as Any)
    /// }
    /// ```
    public func history() -> [RequestHistory] {
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
            // A new body, or none, takes away the Content-Type that only followed from the old one.
            if subject == .body, let type = places[.header("Content-Type")] { histories[type].dropImplied(by: step) }
        }
        return histories
    }
}

extension RequestHistory {
    fileprivate mutating func apply(_ step: RequestOperator) {
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
        guard let implied = standing.first, implied.isImpliedByBody, standing.count == 1 else { return }
        shadow(with: step)
    }

    private mutating func shadow(with removal: RequestOperator?) {
        // A body that took its predecessor's Content-Type away has said nothing of the type that it could have shadowed.
        if let earlier = self.removal, earlier.effect == .removes { shadowed.append(earlier) }
        shadowed += standing
        standing = []
        self.removal = removal
    }
}
