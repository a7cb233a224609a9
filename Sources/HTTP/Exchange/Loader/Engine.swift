#if os(Linux)
import CReqcliLibcurl
import Foundation
import ReqcliBasics
import RequestBuilding

/// One thread that drives all transfers through libcurl's multi interface.
///
/// Callers on any thread can add commands to a queue. The engine's thread runs the commands between two rounds of
/// `curl_multi_perform`, so that two threads never touch the same libcurl handle. While nothing happens, the engine's thread
/// sleeps in `curl_multi_poll`.
final class Engine: Sendable {
    /// The engine of this process for a protocol version. The engine's thread starts with the first transfer, and sleeps while
    /// there are no transfers.
    ///
    /// Each version has its own engine, because all transfers of an engine share connections. libcurl may give a transfer a
    /// connection that another transfer is still opening. The version of such a connection is not known yet.
    static func shared(for version: ProtocolVersion?) -> Engine {
        switch version {
        case nil: automatic
        case .http10: http10
        case .http11: http11
        case .http2: http2
        }
    }

    private static let automatic = Engine()
    private static let http10 = Engine(name: "reqcli-http1.0")
    private static let http11 = Engine(name: "reqcli-http1")
    private static let http2 = Engine(name: "reqcli-http2")

    /// The maximum number of transfers at the same time; further transfers wait. Transfers that wait for the reader of the
    /// response, or for more of the request's body, don't count.
    static let limit = 256

    /// Identifies a transfer across threads.
    typealias ID = UInt64
    private static let lastID = Mutex<ID>(0)

    private let name: String
    private let mailbox = Mutex(Mailbox())

    /// A separate engine. Its thread has this name and never ends. Only `shared(for:)` and tests that measure an engine use this
    /// initializer.
    init(name: String = "reqcli-engine") {
        self.name = name
    }

    private struct Mailbox {
        var commands: [Command] = []
        var multi: MultiHandle?
        /// True if the thread waits, or is about to wait.
        var isAsleep = false
    }

    enum Command: Sendable {
        case start(ID, TransferPlan, TransportExchange)
        case resume(ID)
        case resumeBody(ID)
        case cancel(ID)

        /// True if this command may start the engine's thread. Only `start` may, because before the first transfer there is
        /// nothing to resume or cancel.
        fileprivate var mayBeFirst: Bool {
            switch self {
            case .start: true
            case .resume, .resumeBody, .cancel: false
            }
        }
    }

    /// Makes an ID for a new transfer. The receiver thus knows the ID before the transfer starts. Later IDs are larger.
    static func makeID() -> ID {
        lastID.withLock { last in
            last += 1
            return last
        }
    }

    /// Starts a transfer, or fails at once if libcurl is missing.
    func start(_ id: ID, _ plan: TransferPlan, receiver: TransportExchange) {
        guard lc_load() else {
            let reason = lc_load_error().map { String(cString: $0) } ?? ""
            receiver.finish(.failure(TransportError(.libcurlMissing, target: plan.authority, detail: reason)))
            receiver.settle()
            return
        }
        post(.start(id, plan, receiver))
    }

    /// Continues a transfer that was held back.
    func resume(_ id: ID) {
        post(.resume(id))
    }

    /// Continues a transfer that waited for more of its request's body.
    func resumeBody(_ id: ID) {
        post(.resumeBody(id))
    }

    /// Ends a transfer and reports nothing more to its receiver.
    func cancel(_ id: ID) {
        post(.cancel(id))
    }

    private func post(_ command: Command) {
        let (multi, isNew) = mailbox.withLock { mailbox -> (MultiHandle?, Bool) in
            let isNew = mailbox.multi == nil
            if isNew {
                guard command.mayBeFirst, let multi = MultiHandle() else { return (nil, false) }
                mailbox.multi = multi
            }
            defer { mailbox.isAsleep = false }
            mailbox.commands.append(command)
            return (isNew || mailbox.isAsleep ? mailbox.multi : nil, isNew)
        }
        guard let multi else { return }
        guard isNew else { return multi.wakeUp() }
        Thread.detachNewThread { [self] in
            lc_name_current_thread(String(name.prefix(15)))
            EngineLoop(multi: multi, engine: self).run()
        }
    }

    /// Takes the commands that were queued since the last call.
    func takeCommands(into commands: inout [Command]) {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = false
            swap(&commands, &mailbox.commands)
        }
    }

    /// True if the thread may wait: no command is queued, and the next command will wake the thread.
    func mayWait() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = mailbox.commands.isEmpty
            return mailbox.isAsleep
        }
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
        // Without this number, libcurl's cache of idle connections would shrink and grow with the number of running transfers.
        _ = lc_multi_set_long(pointer, LC_CURLMOPT_MAXCONNECTS, Engine.limit)
    }

    func wakeUp() {
        _ = lc_multi_wakeup(pointer)
    }
}
#endif
