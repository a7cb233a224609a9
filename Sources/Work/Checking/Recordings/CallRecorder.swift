package import Calling
import Exchange
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions

/// Records the calls of a run.
package final class CallRecorder: Sendable {
    private let calls = Mutex<[RecordedCall]>([])
    private let clock: WorldClock

    package init(_ clock: WorldClock) { self.clock = clock }

    /// The calls, in the order in which they began.
    package var recorded: [RecordedCall] { calls.withLock { $0.sorted { $0.began < $1.began } } }

    package func recording(_ caller: Caller) -> Caller {
        var recording = caller
        recording.perform = { call, terms in
            let listener = terms.events.map { ListeningJudge($0) }
            var terms = terms
            terms.events = listener
            let began = self.clock.elapsed()
            let result = (await caller.perform(call, terms)).heard
            let recorded = RecordedCall(
                result.result, of: call, began: began, ended: self.clock.elapsed(), events: result.events)
            self.calls.withLock { $0.append(recorded) }
            return result.result
        }
        return recording
    }
}

/// A judge of events that keeps them for a recording.
private struct ListeningJudge: EventJudge {
    private(set) var judge: any EventJudge
    private(set) var events: [StreamEvent] = []

    init(_ judge: any EventJudge) { self.judge = judge }

    var within: Duration { judge.within }
    var isComplete: Bool { judge.isComplete }
    var isOutOfTime: Bool {
        get { judge.isOutOfTime }
        set { judge.isOutOfTime = newValue }
    }

    mutating func take(_ event: StreamEvent) {
        events.append(event)
        judge.take(event)
    }
}

extension CallResult {
    /// The result with the judge that the run had asked for, and the events that it took.
    fileprivate var heard: (result: CallResult, events: [StreamEvent]?) {
        guard case .success(let response) = result, let listener = response.events as? ListeningJudge else {
            return (self, nil)
        }
        return (answered(by: response.judged(by: listener.judge)), listener.events)
    }

    private func answered(by response: ReceivedResponse) -> CallResult {
        CallResult(
            .success(response), request: self.request(), secrets: secrets, signatures: signatures, stub: stub,
            requests: requests, firstFailure: firstFailure, cookies: cookies, began: began, timings: timings,
            isChain: isChain)
    }
}

extension ReceivedResponse {
    fileprivate func judged(by judge: any EventJudge) -> ReceivedResponse {
        ReceivedResponse(
            status: status, reason: reason, headers: headers, body: body, duration: duration, method: method,
            isDecoded: isDecoded, events: judge, setCookies: setCookies, url: url, requestURL: requestURL)
    }
}
