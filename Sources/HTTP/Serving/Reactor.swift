import CReqcliSystem
import Glibc

/// The state of an event loop's thread: the sockets that it watches, its alarms, and its server.
final class Reactor {
    private struct Alarm {
        let time: Milliseconds
        let action: () -> Void
    }

    /// The arrival time of the events that are being handled.
    private(set) var now: Milliseconds
    var server: ServerCore?
    private let clock: LoopClock
    private let poll: Int32
    private let inbox: Inbox
    /// The alarms, sorted so that the earliest alarm is the last element.
    private var alarms: [Alarm] = []
    private var hasEnded = false

    init(poll: Int32, inbox: Inbox, clock: LoopClock) {
        self.clock = clock
        now = clock.now()
        self.poll = poll
        self.inbox = inbox
    }

    deinit { close(poll) }

    func run() {
        let capacity = 256
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        defer { events.deallocate() }
        guard watch(inbox.wake, EPOLLIN.rawValue) else { return }
        while !hasEnded {
            let count = epoll_wait(poll, events, Int32(capacity), timeout)
            now = clock.now()
            for index in 0..<max(0, Int(count)) {
                let token = events[index].data.u64
                let descriptor = Int32(truncatingIfNeeded: token)
                if descriptor == inbox.wake {
                    for work in inbox.takeAll() { work(self) }
                } else {
                    server?.handle(events[index].events, of: descriptor, UInt32(token >> 32))
                }
            }
            while let alarm = alarms.last, alarm.time <= now {
                alarms.removeLast()
                alarm.action()
            }
            server?.handleDeadlines()
        }
        server?.closeAll()
        server = nil
    }

    func end() { hasEnded = true }

    func setAlarm(after duration: Duration, _ action: @escaping () -> Void) {
        let time = now + Milliseconds(duration)
        let place = alarms.firstIndex { $0.time <= time } ?? alarms.endIndex
        alarms.insert(Alarm(time: time, action: action), at: place)
    }

    /// - Parameter serial: A number that each event carries. It shows whether an event belongs to an earlier connection with the
    ///   same descriptor.
    func watch(_ descriptor: Int32, _ events: UInt32, serial: UInt32 = 0) -> Bool {
        control(EPOLL_CTL_ADD, descriptor, events, serial)
    }

    func change(_ descriptor: Int32, _ events: UInt32) { _ = control(EPOLL_CTL_MOD, descriptor, events, 0) }

    func unwatch(_ descriptor: Int32) { _ = control(EPOLL_CTL_DEL, descriptor, 0, 0) }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ serial: UInt32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.u64 = UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
        return epoll_ctl(poll, operation, descriptor, &event) == 0
    }

    /// The milliseconds until the next alarm or deadline; -1 if there is none.
    private var timeout: Int32 {
        if server?.hasReady == true { return 0 }
        let next = min(alarms.last?.time ?? .max, server?.nextDeadline ?? .max)
        guard next < .max else { return -1 }
        return Int32(clamping: max(0, next - clock.now()))
    }
}
