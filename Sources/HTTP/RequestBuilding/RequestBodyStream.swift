import Foundation

/// A stream of a body's bytes for `httpBodyStream`. Each file is opened when it is needed.
final class RequestBodyStream: InputStream {
    let body: RequestBody

    private var waiting: ArraySlice<RequestBody.Piece>
    private var current: InputStream?
    private var status: Stream.Status = .notOpen
    private var failure: (any Error)?

    init(_ body: RequestBody) {
        self.body = body
        self.waiting = body.pieces[...]
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open }

    override func open() {
        status = .open
    }

    override func close() {
        current?.close()
        status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard status == .open else { return status == .error ? -1 : 0 }
        while let stream = current ?? nextStream() {
            let count = stream.read(buffer, maxLength: maxLength)
            if count > 0 { return count }
            if count < 0 { return fail(stream.streamError) }
            stream.close()
            current = nil
        }
        if status == .error { return -1 }
        status = .atEnd
        return 0
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    private func nextStream() -> InputStream? {
        guard let piece = waiting.popFirst() else { return nil }
        let stream: InputStream? =
            switch piece {
            case .data(let data): InputStream(data: data)
            case .file(let path): InputStream(fileAtPath: path)
            }
        stream?.open()
        guard let stream, stream.streamStatus != .error else {
            _ = fail(stream?.streamError)
            return nil
        }
        current = stream
        return stream
    }

    private func fail(_ error: (any Error)?) -> Int {
        failure = error ?? CocoaError(.fileReadUnknown)
        status = .error
        return -1
    }
}
