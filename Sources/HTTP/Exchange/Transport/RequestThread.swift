/// A thread that runs tasks and sends their requests, over connections that no other thread uses.
package struct RequestThread: Sendable {
    /// The thread of the current task; nil for a task that runs elsewhere.
    @TaskLocal private static var current: RequestThread?

    private let executor: any TaskExecutor
    private let transport: any Transport

    init(executor: any TaskExecutor, transport: any Transport) {
        (self.executor, self.transport) = (executor, transport)
    }

    /// The transport of the current task's thread; nil for a task that runs elsewhere.
    package static var transport: (any Transport)? { current?.transport }

    /// Adds a task to a group, which runs on this thread.
    package func run(in group: inout DiscardingTaskGroup, _ work: @escaping @Sendable () async -> Void) {
        group.addTask(executorPreference: executor) { [self] in await Self.$current.withValue(self, operation: work) }
    }
}
