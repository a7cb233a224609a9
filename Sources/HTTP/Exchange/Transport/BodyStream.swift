import Foundation
import ReqcliBasics
import RequestBuilding

/// Hands chunks from a transfer to one reader, and holds the transfer back while the reader is too slow.
final class BodyStream: Sendable {
    /// The number of unread bytes at which no more bytes are accepted. The transfer continues when at most half of this number is
    /// left.
    static let capacity = 1 << 20
    /// A chunk of at least this many bytes is given to a waiting reader immediately. A smaller chunk waits for other bytes that
    /// arrive in the same round of the engine.
    static let sizeWorthWaking = 1 << 14

    private let state = Mutex(State())
    private let resume: @Sendable () -> Void
    private let cancel: @Sendable () -> Void

    fileprivate struct State {
        var chunks: [Data] = []
        /// The index of the first unread chunk. Chunks that were read are removed several at a time.
        var first = 0
        var count = 0
        var isHeldBack = false
        var result: Result<ResponseBody.Ending, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
    }

    /// - Parameters:
    ///   - resume: Called when a transfer whose chunk was refused may offer the chunk again.
    ///   - cancel: Called when the reader's task is cancelled.
    init(resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        self.resume = resume
        self.cancel = cancel
    }

    // MARK: - The transfer's side

    /// Takes the bytes. If the result is false, no bytes were taken, and the transfer must offer the same bytes again after
    /// `resume`.
    func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.isEmpty { return true }
        let (isTaken, reader) = state.withLock { state -> (Bool, (CheckedContinuation<Data?, any Error>, Data)?) in
            // If the reader has ended the body, bytes that arrive later are not needed.
            if state.result != nil { return (true, nil) }
            // The reader gets the bytes directly only if there are no unread bytes, because unread bytes must be read first.
            if bytes.count >= Self.sizeWorthWaking, state.count == 0, let reader = state.reader {
                state.reader = nil
                return (true, (reader, Data(bytes)))
            }
            guard state.count < Self.capacity else {
                state.isHeldBack = true
                return (false, nil)
            }
            state.chunks.append(Data(bytes))
            state.count += bytes.count
            return (true, nil)
        }
        if let (continuation, data) = reader { continuation.resume(returning: data) }
        return isTaken
    }

    /// Ends the body. Only the first call has an effect.
    func finish(_ result: Result<ResponseBody.Ending, any Error>) {
        state.withLock { state in
            if state.result == nil { state.result = result }
        }
    }

    /// Gives a waiting reader the next chunk or the end, if one has arrived.
    func settle() {
        let (reader, answer, mayResume) = state.withLock { state in
            let reader = state.reader
            state.reader = nil
            guard let reader else { return (reader, nil as Result<Data?, any Error>?, false) }
            // If there is nothing to take, the reader continues to wait.
            let (answer, mayResume) = state.take(for: reader)
            return (reader, answer, mayResume)
        }
        if mayResume { resume() }
        if let reader, let answer { reader.resume(with: answer) }
    }

    // MARK: - The reader's side

    var ending: ResponseBody.Ending? {
        state.withLock { state in
            guard case .success(let ending) = state.result, state.first == state.chunks.count else { return nil }
            return ending
        }
    }

    /// Takes all unread bytes of a body that has ended without an error. Otherwise, or if there are more bytes than the limit,
    /// nothing is taken and the result is nil.
    func takeAll(upTo limit: Int) -> Data? {
        state.withLock { state in
            guard case .success = state.result, state.count <= limit, state.reader == nil else { return nil }
            let unread = state.chunks[state.first...]
            var all = unread.first ?? Data()
            for chunk in unread.dropFirst() { all += chunk }
            (state.chunks, state.first, state.count) = ([], 0, 0)
            return all
        }
    }

    /// Ends the body without an error, because its reader wants no more bytes.
    func end() {
        finish(.success(ResponseBody.Ending()))
        settle()
        cancel()
    }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (answer, mayResume) = state.withLock { $0.take(for: continuation) }
                if mayResume { resume() }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
            settle()
            cancel()
        }
    }
}

extension BodyStream.State {
    /// The next chunk or the end; nil if the reader must wait. The second value is true if the transfer may continue.
    fileprivate mutating func take(
        for continuation: CheckedContinuation<Data?, any Error>
    ) -> (Result<Data?, any Error>?, Bool) {
        if first < chunks.count {
            let chunk = chunks[first]
            chunks[first] = Data()
            first += 1
            count -= chunk.count
            if first == chunks.count || first == 64 {
                chunks.removeFirst(first)
                first = 0
            }
            let mayResume = isHeldBack && count <= BodyStream.capacity / 2
            if mayResume { isHeldBack = false }
            return (.success(chunk), mayResume)
        }
        if let result { return (result.map { _ in nil }, false) }
        if reader != nil { return (.failure(ReadTwice()), false) }
        reader = continuation
        return (nil, false)
    }
}

/// The error for two tasks that read one body at the same time.
struct ReadTwice: DescribedError {
    var description: String { "a response body can be read by one task at a time" }
    var errorDescription: String? { description }
}
