/// A client that waits for calls of an endpoint.
struct CallWait: Sendable {
    let session: String
    let endpoint: String
    let count: Int
    /// A function that is called once, with true if the calls have been received.
    let done: @Sendable (Bool) -> Void
}

extension MockEngine.State {
    /// Removes and returns the waits whose calls have been received.
    mutating func takeFulfilledWaits() -> [CallWait] {
        if waits.isEmpty { return [] }
        let fulfilled = waits.filter { isFulfilled($0.value) }
        for number in fulfilled.keys { waits[number] = nil }
        return fulfilled.sorted { $0.key < $1.key }.map(\.value)
    }

    fileprivate func isFulfilled(_ wait: CallWait) -> Bool {
        (sessions.known(wait.session)?.calls[wait.endpoint]?.all ?? 0) >= wait.count
    }
}

extension MockEngine {
    /// Runs a function once an endpoint has received this many calls. The function runs at once if it has already received them, or if
    /// all waits have been ended.
    ///
    /// - Returns: An id to end the wait with; nil if the wait is already over.
    @discardableResult
    package func wait(
        forCalls count: Int, of endpoint: String, session: String, _ done: @escaping @Sendable (Bool) -> Void
    ) -> Int? {
        let wait = CallWait(session: session, endpoint: endpoint, count: count, done: done)
        let (number, outcome) = withState { state -> (Int, Bool?) in
            state.lastWait += 1
            if state.isFulfilled(wait) { return (state.lastWait, true) }
            if state.hasEndedWaits { return (state.lastWait, false) }
            state.waits[state.lastWait] = wait
            return (state.lastWait, nil)
        }
        guard let outcome else { return number }
        done(outcome)
        return nil
    }

    /// Ends a wait whose calls have not been received.
    package func endWait(_ number: Int) {
        withState { $0.waits.removeValue(forKey: number) }?.done(false)
    }

    /// Ends all waits whose calls have not been received. Later waits end at once, because the server is about to stop.
    package func endWaits() {
        let ended = withState { state in
            state.hasEndedWaits = true
            defer { state.waits = [:] }
            return state.waits.sorted { $0.key < $1.key }.map(\.value.done)
        }
        for done in ended { done(false) }
    }
}
