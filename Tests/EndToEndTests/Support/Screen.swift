import Glibc
import Testing

/// A pseudo-terminal to write to; what was written is read from its other side.
final class Screen {
    private var near: Int32 = -1
    private var far: Int32 = -1
    let path: String

    init(columns: UInt16) throws {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var (near, far): (Int32, Int32) = (-1, -1)
        try #require(openpty(&near, &far, nil, nil, &size) == 0)
        for descriptor in [near, far] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (self.near, self.far) = (near, far)
        path = String(cString: try #require(ttyname(far)))
    }

    deinit {
        close(near)
        close(far)
    }

    /// What is there once the program has ended: all of it fits into the terminal's own buffer.
    func text() throws -> String {
        _ = fcntl(near, F_SETFL, O_NONBLOCK)
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = read(near, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
        return String(decoding: text, as: UTF8.self)
    }
}
