#if os(Linux)
import CReqcliLibcurl
import CReqcliSystem
import Glibc

/// The descriptors of a thread that waits for sockets, for a time, or for another thread.
struct WaitDescriptors: Sendable {
    fileprivate let poll: Int32
    fileprivate let timer: Int32
    fileprivate let wake: Int32

    /// Nil if the process has too many open descriptors.
    init?() {
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        // Edge-triggered: both need not be read, which would cost a call for each event.
        let events = EPOLLIN.rawValue | EPOLLET.rawValue
        guard watch(timer, events, EPOLL_CTL_ADD), watch(wake, events, EPOLL_CTL_ADD) else {
            close()
            return nil
        }
    }

    func close() {
        for descriptor in [poll, timer, wake] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Ends the wait of the thread; may be called on any thread.
    func wakeUp() { _ = eventfd_write(wake, 1) }

    fileprivate func watch(_ descriptor: Int32, _ events: UInt32, _ operation: Int32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = descriptor
        return epoll_ctl(poll, operation, descriptor, &event) == 0
    }
}

/// The sockets and the times that libcurl waits for, in all pools of a thread.
///
/// The kernel keeps the list of sockets. So a round of the loop costs as much as the number of sockets where something has happened,
/// however many are open.
final class SocketEvents {
    private(set) var pools: [ConnectionPool] = []
    /// The sockets that the kernel can't watch, because its memory or the user's limit is used up, with their events. They are
    /// tried again and again.
    private var unwatched: [Int32: UInt32] = [:]

    private let descriptors: WaitDescriptors
    /// The time that the timer is set to.
    private var alarm = Int64.max
    /// The pool that waits for a socket, by the number of the socket.
    private var waiters: [ConnectionPool?] = []
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)

    /// The object must live as long as its pools.
    init(_ descriptors: WaitDescriptors) { self.descriptors = descriptors }

    deinit { events.deallocate() }

    /// Adds a pool whose transfers use a multi handle.
    @discardableResult func add(_ multi: MultiHandle, _ rules: ConnectionRules) -> ConnectionPool {
        let pool = ConnectionPool(multi, self, rules)
        pools.append(pool)
        return pool
    }

    /// Watches a socket of a pool for what libcurl waits for there.
    func watch(_ socket: Int32, _ interest: Int, for pool: ConnectionPool) {
        let index = Int(socket)
        if index >= waiters.count {
            waiters += Array(repeating: nil, count: max(64, index + 1 - waiters.count))
        }
        let isRead = interest == LC_CURL_POLL_IN || interest == LC_CURL_POLL_INOUT
        let isWritten = interest == LC_CURL_POLL_OUT || interest == LC_CURL_POLL_INOUT
        waiters[index] = isRead || isWritten ? pool : nil
        // A socket that libcurl has finished with stays in the kernel's list, because the next request often uses it again.
        unwatched[socket] = nil
        guard isRead || isWritten else { return }
        let events = (isRead ? EPOLLIN.rawValue : 0) | (isWritten ? EPOLLOUT.rawValue : 0)
        // The kernel removes a closed socket from its list, and the number of this socket may be used again. So it isn't known whether
        // the list has the socket.
        guard !descriptors.watch(socket, events, EPOLL_CTL_MOD), !descriptors.watch(socket, events, EPOLL_CTL_ADD)
        else {
            return
        }
        unwatched[socket] = events
    }

    /// The time until which the thread may wait.
    var next: Int64 {
        let due = pools.reduce(Int64.max) { min($0, $1.due) }
        return unwatched.isEmpty ? due : min(due, Clock.now + 10_000_000)
    }

    /// Lets libcurl work on what is due.
    func performDue() {
        for (socket, events) in unwatched {
            if descriptors.watch(socket, events, EPOLL_CTL_ADD) { unwatched[socket] = nil }
            act(on: socket, events)
        }
        let now = Clock.now
        for pool in pools { pool.performDue(at: now) }
    }

    /// Waits until something happens on a socket, until another thread calls `wakeUp`, or until a time, and lets libcurl work on what has
    /// happened.
    func wait(until time: Int64) {
        let now = Clock.now
        if time > now { setAlarm(time) }
        let count = epoll_wait(descriptors.poll, events.baseAddress, Int32(events.count), time > now ? -1 : 0)
        for event in events.prefix(max(0, Int(count))) {
            switch event.data.fd {
            case descriptors.wake: break
            case descriptors.timer: alarm = .max
            case let socket where waiters.indices.contains(Int(socket)) && waiters[Int(socket)] != nil:
                act(on: socket, event.events)
            case let socket: _ = descriptors.watch(socket, 0, EPOLL_CTL_DEL)
            }
        }
    }

    /// Sets the timer, unless it is set to an earlier time. The thread then wakes up once too early.
    private func setAlarm(_ time: Int64) {
        guard time < alarm else { return }
        alarm = time
        var value = itimerspec()
        value.it_value.tv_sec = Int(time / 1_000_000_000)
        value.it_value.tv_nsec = Int(time % 1_000_000_000)
        timerfd_settime(descriptors.timer, Int32(TFD_TIMER_ABSTIME), &value, nil)
    }

    private func act(on socket: Int32, _ events: UInt32) {
        var bits: Int32 = 0
        if events & EPOLLIN.rawValue != 0 { bits |= Int32(LC_CURL_CSELECT_IN) }
        if events & EPOLLOUT.rawValue != 0 { bits |= Int32(LC_CURL_CSELECT_OUT) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { bits |= Int32(LC_CURL_CSELECT_ERR) }
        waiters[Int(socket)]?.act(on: socket, bits)
    }
}
#endif
