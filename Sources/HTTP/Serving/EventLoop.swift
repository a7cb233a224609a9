import CReqcliSystem
import Foundation
import Glibc
import ReqcliBasics

import struct Synchronization.Atomic

/// A thread that waits for sockets, for points in time, and for work from other threads. A `Server` runs on it.
///
/// An actor with this executor runs on the same thread. A handler can therefore call the actor with `assumeIsolated`, and needs
/// no lock. The thread ends when nothing refers to the loop any more.
package final class EventLoop: SerialExecutor {
    private let inbox: Inbox

    package init(clock: LoopClock = .monotonic) throws(ListenProblem) {
        let wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wake >= 0 else { throw ListenProblem("cannot start a server", SystemError()) }
        let poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else {
            let error = SystemError()
            close(wake)
            throw ListenProblem("cannot start a server", error)
        }
        let inbox = Inbox(wake: wake)
        self.inbox = inbox
        Thread.detachNewThread {
            // Other threads handle signals. Blocking all signals on this thread is also the only way to avoid SIGPIPE in
            // `sendfile`.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            inbox.thread.store(UInt(pthread_self()), ordering: .relaxed)
            Reactor(poll: poll, inbox: inbox, clock: clock).run()
        }
    }

    deinit { inbox.add { $0.end() } }

    /// Runs work on the loop's thread, after all work that was given earlier.
    package func run(_ work: @escaping @Sendable () -> Void) { perform { _ in work() } }

    /// Runs work on the loop's thread when the given time has passed.
    package func run(after time: Duration, _ work: @escaping @Sendable () -> Void) {
        perform { $0.setAlarm(after: time, work) }
    }

    /// Gives the reply to a request for which the handler returned nil. Does nothing if the request doesn't exist any more.
    package func reply(_ reply: ServerReply, to ticket: ServerRequest.Ticket) {
        perform { $0.server?.reply(reply, to: ticket) }
    }

    /// Calls `ServerHandler.clientLeft` again if the client of a request has left. A handler needs this call if it began work for
    /// the request on another thread, because `clientLeft` may have been called before the work began.
    package func checkClient(of ticket: ServerRequest.Ticket) { perform { $0.server?.checkClient(of: ticket) } }

    /// Asks for the next part of a request's body that is taken in parts. Until this call, nothing more is read from the client.
    package func readBody(of ticket: ServerRequest.Ticket) { perform { $0.server?.readBody(of: ticket) } }

    /// Sends a piece of a body that is a stream. Pieces are kept until the client takes them. Then `ServerHandler.clientTook` is
    /// called.
    package func send(_ bytes: [UInt8], to ticket: ServerRequest.Ticket) {
        perform { $0.server?.send(bytes, to: ticket) }
    }

    /// Ends a body that is a stream. If the body is shorter than its stated length, the connection is reset.
    package func endBody(of ticket: ServerRequest.Ticket) { perform { $0.server?.endBody(of: ticket) } }

    /// Resets a client's connection, because the rest of the response isn't available.
    package func cut(_ ticket: ServerRequest.Ticket) { perform { $0.server?.cut(ticket) } }

    func perform(_ work: @escaping @Sendable (Reactor) -> Void) { inbox.add(work) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform { [executor = asUnownedSerialExecutor()] _ in job.runSynchronously(on: executor) }
    }

    package func checkIsolated() {
        precondition(inbox.isOnThread, "this was not called on the thread of the event loop")
    }
}

/// The work that other threads have given to a loop.
final class Inbox: Sendable {
    typealias Work = @Sendable (Reactor) -> Void

    /// A descriptor that becomes readable when there is work.
    let wake: Int32
    /// The loop's thread. 0 until the thread runs.
    let thread = Atomic<UInt>(0)
    private let works = Mutex<[Work]>([])

    init(wake: Int32) { self.wake = wake }

    deinit { close(wake) }

    var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    func add(_ work: @escaping Work) {
        let isFirst = works.withLock { works in
            works.append(work)
            return works.count == 1
        }
        if isFirst { _ = eventfd_write(wake, 1) }
    }

    func takeAll() -> [Work] {
        var count: eventfd_t = 0
        _ = eventfd_read(wake, &count)
        return works.withLock { works in
            defer { works = [] }
            return works
        }
    }
}
