#if os(Linux)
import CReqcliLibcurl
import Foundation
import RequestBuilding

/// The loop of the engine's thread; no other thread uses this class.
final class EngineLoop {
    private let engine: Engine

    private var transfers: [Engine.ID: Transfer] = [:]
    private var waiting: [(id: Engine.ID, plan: TransferPlan, receiver: TransportExchange)] = []
    private var heldBack = 0
    /// The transfers that wait for more of their request's body.
    private var awaiting: Set<Engine.ID> = []
    private var commands: [Engine.Command] = []
    /// The receivers that were given a head, bytes or a result in the current round of the loop.
    private var unsettled: [TransportExchange] = []
    private var deadlines = Deadlines()
    /// The tasks that wait for a time.
    private var sleepers: [Engine.ID: CheckedContinuation<Void, Never>] = [:]
    private let events: SocketEvents

    init(multi: MultiHandle, _ descriptors: WaitDescriptors, engine: Engine) {
        self.engine = engine
        events = SocketEvents(descriptors)
        events.add(multi, engine.connections)
    }

    /// Runs the loop, and never returns.
    func run() {
        while true {
            takeCommands()
            events.performDue()
            takeMessages()
            checkDeadlines()
            startWaiting()
            // Receivers are woken here, after all steps that can end a transfer and before the wait, which may be long.
            settle()
            events.wait(until: engine.mayWait() ? min(events.next, deadlines.first) : 0)
        }
    }

    // MARK: - Commands

    private func takeCommands() {
        engine.takeCommands(into: &commands)
        for command in commands {
            switch command {
            case .start(let id, let plan, let receiver):
                waiting.append((id, plan, receiver))
            case .resume(let id):
                guard let transfer = transfers[id], transfer.isHeldBack else { continue }
                heldBack -= 1
                // The receiver may hold the transfer back again at once. The transfer is then added to the held-back transfers
                // again.
                transfer.resume()
                watchDeadline(of: transfer)
            case .resumeBody(let id):
                guard let transfer = transfers[id], awaiting.remove(id) != nil else { continue }
                transfer.resumeBody()
                watchDeadline(of: transfer)
            case .cancel(let id):
                if let sleeper = sleepers.removeValue(forKey: id) {
                    sleeper.resume()
                } else if let transfer = transfers[id] {
                    remove(transfer)
                } else {
                    waiting.removeAll { $0.id == id }
                }
            case .run(let job): job.runSynchronously(on: engine.asUnownedTaskExecutor())
            case .sleep(let id, let time, let sleeper):
                sleepers[id] = sleeper
                deadlines.add(Deadlines.Entry(time: time, id: id))
            }
        }
        commands.removeAll(keepingCapacity: true)
        startWaiting()
    }

    private func startWaiting() {
        guard !waiting.isEmpty else { return }
        let count = min(waiting.count, max(0, engine.limit - (transfers.count - heldBack - awaiting.count)))
        guard count > 0 else { return }
        for (id, plan, receiver) in waiting.prefix(count) { start(id, plan, receiver) }
        waiting.removeFirst(count)
    }

    /// The pool for a transfer: one that may have an idle connection to the server, or else one that has room.
    private func pool(for plan: TransferPlan) -> ConnectionPool {
        let usual = events.pools[0]
        if events.pools.count == 1, usual.hasRoom { return usual }
        let open = events.pools.filter(\.hasRoom)
        if let pool = open.first(where: { $0.kept.mayHaveIdle(for: plan.authority) }) ?? open.first { return pool }
        return MultiHandle(limit: engine.limit, engine.connections).map { events.add($0, engine.connections) } ?? usual
    }

    /// Starts a transfer on its own libcurl handle, perhaps in place of a transfer that the server refused.
    ///
    /// A handle is never used twice. `curl_easy_reset` leaves pointers to the headers of the last response. With the next
    /// response, libcurl could free these headers a second time (seen with 7.88.1).
    private func start(
        _ id: Engine.ID, _ plan: TransferPlan, _ receiver: TransportExchange, after refused: Transfer? = nil
    ) {
        guard let easy = lc_easy_init() else {
            end(receiver, .failure(TransportError(.other, target: plan.authority, detail: "out of memory")))
            return
        }
        let pool = pool(for: plan)
        let transfer = Transfer(id: id, plan: plan, receiver: receiver, easy: easy, pool: pool, after: refused)
        transfer.onHoldBack = { [unowned self] in heldBack += 1 }
        transfer.onNews = { [unowned self] in note($0) }
        if let feed = plan.upload?.feed {
            transfer.onAwaitBody = { [unowned self] in awaiting.insert(id) }
            // Even on this thread, the command goes through the engine's queue, because libcurl can't be called from within its
            // callbacks.
            feed.whenMore { [engine] in engine.resumeBody(id) }
            transfer.onEarlyResponse = { [engine] in engine.resumeBody(id) }
        }
        transfer.configure()
        transfers[id] = transfer
        pool.count += 1
        guard lc_multi_add_handle(pool.multi, easy) == 0 else {
            finish(transfer, code: LC_CURLE_OUT_OF_MEMORY)
            return
        }
        watchDeadline(of: transfer)
    }

    // MARK: - Endings

    private func takeMessages() {
        for pool in events.pools { takeMessages(of: pool) }
    }

    private func takeMessages(of pool: ConnectionPool) {
        var left: Int32 = 0
        while let message = lc_multi_info_read(pool.multi, &left) {
            guard message.pointee.kind == Int32(LC_CURLMSG_DONE), let easy = message.pointee.easy else { continue }
            let code = Int(message.pointee.data.result)
            var context: UnsafeMutableRawPointer?
            _ = lc_get_pointer(easy, LC_CURLINFO_PRIVATE, &context)
            guard let context else { continue }
            finish(Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), code: code)
        }
    }

    private func finish(_ transfer: Transfer, code: Int) {
        if code == LC_CURLE_OK { transfer.pool.kept.freed(for: transfer.plan.authority) }
        let result = transfer.result(code: code)
        remove(transfer)
        if transfer.canStartAgain {
            start(transfer.id, transfer.plan, transfer.receiver, after: transfer)
        } else {
            end(transfer.receiver, result)
        }
    }

    private func end(_ receiver: TransportExchange, _ result: Result<ResponseBody.Ending, TransportError>) {
        receiver.finish(result.mapError { $0 })
        note(receiver)
    }

    private func note(_ receiver: TransportExchange) {
        if unsettled.last !== receiver { unsettled.append(receiver) }
    }

    /// Wakes the receivers that were given something. This runs at the end of a round, so that each receiver finds everything that
    /// has arrived, and many receivers are woken together.
    private func settle() {
        for receiver in unsettled { receiver.settle() }
        unsettled.removeAll(keepingCapacity: true)
    }

    private func remove(_ transfer: Transfer) {
        transfers[transfer.id] = nil
        if transfer.isHeldBack { heldBack -= 1 }
        awaiting.remove(transfer.id)
        _ = lc_multi_remove_handle(transfer.pool.multi, transfer.easy)
        transfer.pool.count -= 1
        transfer.dispose()
        lc_easy_cleanup(transfer.easy)
    }

    // MARK: - Deadlines

    private func watchDeadline(of transfer: Transfer) {
        let time = transfer.deadline
        guard time < transfer.nextLook else { return }
        transfer.nextLook = time
        deadlines.add(Deadlines.Entry(time: time, id: transfer.id))
    }

    /// Ends the transfers whose time is up. Activity only moves deadlines to a later time, so a transfer is looked at only when the
    /// deadline comes that it had at the last look.
    private func checkDeadlines() {
        guard deadlines.first < .max else { return }
        let now = Clock.now
        while let entry = deadlines.takeFirst(at: now) {
            if let sleeper = sleepers.removeValue(forKey: entry.id) {
                sleeper.resume()
                continue
            }
            guard let transfer = transfers[entry.id], transfer.nextLook == entry.time else { continue }
            transfer.nextLook = .max
            if let error = transfer.timeout(at: now) {
                remove(transfer)
                end(transfer.receiver, .failure(error))
            } else {
                watchDeadline(of: transfer)
            }
        }
        // The entries of transfers that have ended would stay until their time.
        guard deadlines.count > 2 * (transfers.count + sleepers.count) + 64 else { return }
        deadlines.keep { transfers[$0.id]?.nextLook == $0.time || sleepers[$0.id] != nil }
    }
}

/// The clock that deadlines are measured with.
enum Clock {
    /// The nanoseconds since a fixed time in the past. The value never decreases.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
#endif
