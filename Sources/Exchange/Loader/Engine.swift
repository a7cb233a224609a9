import CLibcurl
import Foundation
import RequestBuilding
import Synchronization

/// One thread that drives all transfers through libcurl's multi interface.
///
/// Callers on any thread leave commands; the thread takes them up between two rounds of `curl_multi_perform`, so that
/// a libcurl handle is never touched by two threads. While nothing happens the thread sleeps in `curl_multi_poll`.
final class Engine: Sendable {
    /// The process's engine for a protocol version. Its thread starts with the first transfer and sleeps when there are
    /// none.
    ///
    /// There is one for each version, since connections are kept by engine: libcurl may give a transfer a connection
    /// that another one is just opening, before it is known which version that will speak.
    static func shared(for version: ProtocolVersion) -> Engine {
        switch version {
        case .automatic: automatic
        case .http11: http11
        case .http2: http2
        }
    }

    private static let automatic = Engine()
    private static let http11 = Engine(name: "reqcli-http1")
    private static let http2 = Engine(name: "reqcli-http2")

    /// More transfers than this wait for their turn; those whose reader holds them back don't count.
    static let limit = 256

    /// Names a transfer across threads.
    typealias ID = UInt64

    private let name: String
    private let mailbox = Mutex(Mailbox())

    /// An engine of its own, with a thread of that name, which can't end: for `shared(for:)`, and for tests that measure it.
    init(name: String = "reqcli-engine") {
        self.name = name
    }

    private struct Mailbox {
        var commands: [Command] = []
        var nextID: ID = 1
        var multi: MultiHandle?
    }

    enum Command: Sendable {
        case start(ID, TransferPlan, any TransferReceiver)
        case resume(ID)
        case cancel(ID)
    }

    /// A new transfer's name, so that its receiver can know it before the transfer starts.
    func makeID() -> ID {
        mailbox.withLock { mailbox in
            defer { mailbox.nextID += 1 }
            return mailbox.nextID
        }
    }

    /// Starts a transfer, or fails at once where libcurl is missing.
    func start(_ id: ID, _ plan: TransferPlan, receiver: any TransferReceiver) {
        guard lc_load() else {
            let reason = lc_load_error().map { String(cString: $0) } ?? ""
            let report = receiver.finish(
                .failure(TransportError(.libcurlMissing, target: plan.authority, detail: reason)))
            receiver.settle()
            report.map { FoundationReport.tell([$0]) }
            return
        }
        post(.start(id, plan, receiver))
    }

    /// Lets a transfer that was held back go on.
    func resume(_ id: ID) {
        post(.resume(id))
    }

    /// Ends a transfer without a further word to its receiver.
    func cancel(_ id: ID) {
        post(.cancel(id))
    }

    private func post(_ command: Command) {
        let (wakeup, isFirst) = mailbox.withLock { mailbox -> (MultiHandle?, Bool) in
            let isFirst = mailbox.multi == nil
            if isFirst {
                guard case .start = command, let multi = MultiHandle() else { return (nil, false) }
                mailbox.multi = multi
            }
            // A thread that has not taken the last commands has been woken for them already.
            let isAwake = !mailbox.commands.isEmpty
            mailbox.commands.append(command)
            return (isAwake ? nil : mailbox.multi, isFirst)
        }
        if isFirst, let multi = wakeup {
            Thread.detachNewThread { [self] in
                lc_name_current_thread(String(name.prefix(15)))
                EngineLoop(multi: multi, engine: self).run()
            }
        } else if let wakeup {
            wakeup.wakeUp()
        }
    }

    /// The commands left since the last call.
    func takeCommands(into commands: inout [Command]) {
        mailbox.withLock { mailbox in swap(&commands, &mailbox.commands) }
    }
}

/// libcurl's multi handle. It lives as long as the process.
struct MultiHandle: @unchecked Sendable {
    // Unchecked: only the engine's thread uses the pointer, except for `wakeUp`, which libcurl allows from any thread.
    let pointer: OpaquePointer

    init?() {
        guard let pointer = lc_multi_init() else { return nil }
        self.pointer = pointer
        _ = lc_multi_set_long(pointer, LC_CURLMOPT_PIPELINING, LC_CURLPIPE_MULTIPLEX)
        // Without a number the cache of idle connections shrinks and grows with the transfers under way.
        _ = lc_multi_set_long(pointer, LC_CURLMOPT_MAXCONNECTS, Engine.limit)
    }

    func wakeUp() {
        _ = lc_multi_wakeup(pointer)
    }
}
