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

/// The sockets and the time that libcurl waits for.
///
/// The kernel keeps the list of sockets. So a round of the loop costs as much as the number of sockets where something has happened,
/// however many are open.
final class SocketEvents {
    /// The time at which libcurl wants to be called even if nothing has happened.
    private var due = Int64.max
    /// The sockets that the kernel can't watch, because its memory or the user's limit is used up, with their events. They are
    /// tried again and again.
    private var unwatched: [Int32: UInt32] = [:]

    private let multi: OpaquePointer
    private let descriptors: WaitDescriptors
    /// The time that the timer is set to.
    private var alarm = Int64.max
    /// Whether libcurl waits for a socket, by the number of the socket.
    private var isAwaited: [Bool] = []
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)

    /// The object must live as long as the multi handle.
    init(_ multi: OpaquePointer, _ descriptors: WaitDescriptors) {
        self.multi = multi
        self.descriptors = descriptors
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = lc_multi_set_socket_callback(
            multi,
            { _, socket, interest, context, _ in
                SocketEvents.of(context)?.watch(socket, Int(interest))
                return 0
            }, context)
        _ = lc_multi_set_timer_callback(
            multi,
            { _, milliseconds, context in
                SocketEvents.of(context)?.due = milliseconds < 0 ? .max : Clock.now + Int64(milliseconds) * 1_000_000
                return 0
            }, context)
    }

    deinit { events.deallocate() }

    private static func of(_ context: UnsafeMutableRawPointer?) -> SocketEvents? {
        context.map { Unmanaged<SocketEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch(_ socket: Int32, _ interest: Int) {
        let index = Int(socket)
        if index >= isAwaited.count {
            isAwaited += Array(repeating: false, count: max(64, index + 1 - isAwaited.count))
        }
        let isRead = interest == LC_CURL_POLL_IN || interest == LC_CURL_POLL_INOUT
        let isWritten = interest == LC_CURL_POLL_OUT || interest == LC_CURL_POLL_INOUT
        isAwaited[index] = isRead || isWritten
        // A socket that libcurl has finished with stays in the kernel's list, because the next request often uses it again.
        unwatched[socket] = nil
        guard isAwaited[index] else { return }
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
    var next: Int64 { unwatched.isEmpty ? due : min(due, Clock.now + 10_000_000) }

    /// Lets libcurl work on what is due.
    func performDue() {
        for (socket, events) in unwatched {
            if descriptors.watch(socket, events, EPOLL_CTL_ADD) { unwatched[socket] = nil }
            act(on: socket, events)
        }
        guard due <= Clock.now else { return }
        due = .max
        act(on: Int32(LC_CURL_SOCKET_TIMEOUT), 0)
        // libcurl doesn't name a time again that it has named before.
        guard due == .max else { return }
        var milliseconds = -1
        _ = lc_multi_timeout(multi, &milliseconds)
        if milliseconds >= 0 { due = Clock.now + Int64(milliseconds) * 1_000_000 }
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
            case let socket where isAwaited.indices.contains(Int(socket)) && isAwaited[Int(socket)]:
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
        var running: Int32 = 0
        _ = lc_multi_socket_action(multi, socket, bits, &running)
    }
}
#endif
