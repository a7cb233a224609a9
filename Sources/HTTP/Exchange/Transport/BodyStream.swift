import Foundation
import ReqcliBasics

/// Hands chunks from a transfer to one reader and holds the transfer back while the reader is behind.
final class BodyStream: Sendable {
    /// Above this many bytes nothing more is accepted; below half of it the transfer goes on.
    static let capacity = 1 << 20
    /// So many bytes are handed over as they come; fewer wait for what else comes with them.
    static let sizeWorthWaking = 1 << 14

    private let state = Mutex(State())
    private let resume: @Sendable () -> Void
    private let cancel: @Sendable () -> Void

    fileprivate struct State {
        var chunks: [Data] = []
        /// The index of the first unread chunk; the read ones are dropped together.
        var first = 0
        var count = 0
        var isHeldBack = false
        var result: Result<ResponseBody.Ending, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
    }

    /// - Parameters:
    ///   - resume: Called when a transfer that was refused a chunk may offer it again.
    ///   - cancel: Called when the reader's task is cancelled.
    init(resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        self.resume = resume
        self.cancel = cancel
    }

    // MARK: - The transfer's side

    /// Takes the bytes, or returns false: then the same bytes are to be offered again after `resume`.
    func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.isEmpty { return true }
        let (isTaken, reader) = state.withLock { state -> (Bool, (CheckedContinuation<Data?, any Error>, Data)?) in
            // Nobody will read what comes after an end that the reader has brought about.
            if state.result != nil { return (true, nil) }
            // The bytes that are there already come first, and are handed over when the round settles.
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

    /// Ends the body; the first call counts.
    func finish(_ result: Result<ResponseBody.Ending, any Error>) {
        state.withLock { state in
            if state.result == nil { state.result = result }
        }
    }

    /// Lets a reader that waits have what has come.
    func settle() {
        let (reader, answer, mayResume) = state.withLock { state in
            let reader = state.reader
            state.reader = nil
            guard let reader else { return (reader, nil as Result<Data?, any Error>?, false) }
            // Without anything to take it waits on.
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

    /// Everything that is unread, if the body has come to a good end; nil, and nothing taken, otherwise or if it is more.
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

    /// Ends the body where its reader wants no more, without an error.
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
    /// The next chunk or the end; nil leaves the reader waiting. Also true if the transfer may go on.
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

/// Two tasks read one body at the same time.
struct ReadTwice: LocalizedError, CustomStringConvertible {
    var description: String { "a response body can be read by one task at a time" }
    var errorDescription: String? { description }
}
