#if os(Linux)
import CReqcliLibcurl
import Foundation
import ReqcliBasics
import RequestBuilding

/// One thread that drives all transfers through libcurl's multi interface.
///
/// Callers on any thread can add commands to a queue. The engine's thread runs the commands between two calls of
/// `curl_multi_socket_action`, so that two threads never touch the same libcurl handle. While nothing happens, the engine's thread
/// sleeps in `epoll_wait`.
///
/// The thread can also run the tasks whose requests it sends. Neither a request nor its response then needs a switch of threads.
final class Engine: TaskExecutor {
    static let usualLimit = 256

    /// The maximum number of transfers at the same time; further transfers wait. Transfers that wait for the reader of the
    /// response, or for more of the request's body, don't count.
    let limit: Int

    /// Identifies a transfer across threads.
    typealias ID = UInt64
    private static let lastID = Mutex<ID>(0)

    let connections: ConnectionRules
    private let name: String
    private let mailbox = Mutex(Mailbox())

    /// A separate engine. Its thread has this name, starts with the first transfer or task, and never ends.
    init(name: String = "reqcli-engine", limit: Int = usualLimit, connections: ConnectionRules = ConnectionRules()) {
        self.name = name
        self.connections = connections
        self.limit = limit
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// The descriptors that the thread waits for; nil until the thread has been started.
        var descriptors: WaitDescriptors?
        /// True if the thread waits, or is about to wait.
        var isAsleep = false
    }

    enum Command: Sendable {
        case start(ID, TransferPlan, TransportExchange)
        case resume(ID)
        case resumeBody(ID)
        case cancel(ID)
        /// A part of a task that prefers this engine.
        case run(UnownedJob)
        /// A task that waits until a time of ``Clock``.
        case sleep(ID, until: Int64, CheckedContinuation<Void, Never>)
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
        do throws(TransportError) {
            guard lc_load() else {
                let reason = lc_load_error().map { String(cString: $0) } ?? ""
                throw TransportError(.libcurlMissing, target: plan.authority, detail: reason)
            }
            guard startThread() else {
                throw TransportError(.other, target: plan.authority, detail: "out of memory or open files")
            }
            post(.start(id, plan, receiver))
        } catch {
            receiver.finish(.failure(error))
            receiver.settle()
        }
    }

    /// Runs a part of a task. The thread must have been started.
    func enqueue(_ job: consuming ExecutorJob) { post(.run(UnownedJob(job))) }

    /// Waits until a time of ``Clock``, or until the task is cancelled. The thread must have been started.
    func sleep(until time: Int64) async {
        let id = Self.makeID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post(.sleep(id, until: time, continuation))
                // A cancellation just before would have found no sleeper.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Starts the engine's thread, unless it runs. Returns false if that is impossible.
    func startThread() -> Bool {
        mailbox.withLock { mailbox in
            if mailbox.descriptors != nil { return true }
            guard let descriptors = WaitDescriptors() else { return false }
            guard let multi = MultiHandle(limit: limit, connections) else {
                descriptors.close()
                return false
            }
            mailbox.descriptors = descriptors
            Thread.detachNewThread { [self] in
                lc_name_current_thread(String(name.prefix(15)))
                EngineLoop(multi: multi, descriptors, engine: self).run()
            }
            return true
        }
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
        let sleeping = mailbox.withLock { mailbox -> WaitDescriptors? in
            // Before the first transfer there is nothing to resume or cancel.
            guard mailbox.descriptors != nil else { return nil }
            mailbox.commands.append(command)
            defer { mailbox.isAsleep = false }
            return mailbox.isAsleep ? mailbox.descriptors : nil
        }
        sleeping?.wakeUp()
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

/// Engines for requests that may share connections, one for each protocol version.
///
/// All transfers of an engine share connections, and libcurl may give a transfer a connection that another transfer is still opening.
/// The version of such a connection is not known yet.
struct Engines: Sendable {
    /// The engines of the process, for all requests that no ``RequestThread`` sends.
    static let shared = Engines(automatic: Engine(limit: limit.withLock(\.self)))

    private static let limit = Mutex(Engine.usualLimit)

    /// Sets the limit of engines that don't exist yet.
    static func setLimit(_ count: Int) { limit.withLock { $0 = count } }

    /// The engine for requests without a protocol version.
    let automatic: Engine
    private let http10: Engine
    private let http11: Engine
    private let http2: Engine

    private init(automatic: Engine) {
        self.automatic = automatic
        func engine(_ name: String) -> Engine {
            Engine(name: name, limit: automatic.limit, connections: automatic.connections)
        }
        (http10, http11, http2) = (engine("reqcli-http1.0"), engine("reqcli-http1"), engine("reqcli-http2"))
    }

    /// Engines whose usual thread has this name.
    init(name: String, _ connections: ConnectionRules) {
        self.init(automatic: Engine(name: name, limit: Self.limit.withLock(\.self), connections: connections))
    }

    /// One engine for all versions, for tests.
    init(only engine: Engine) { (automatic, http10, http11, http2) = (engine, engine, engine, engine) }

    subscript(version: ProtocolVersion?) -> Engine {
        switch version {
        case nil: automatic
        case .http10: http10
        case .http11: http11
        case .http2: http2
        }
    }
}
#endif
