import CommandLineKit
import Glibc

extension Output {
    /// Writes to a descriptor at once: there is no buffer to flush before the program ends.
    package convenience init(descriptor: Int32) {
        self.init { (bytes) throws(Problem) in
            do throws(SystemError) {
                try writeAll(bytes, to: descriptor)
            } catch {
                throw error.code == EPIPE ? .closed : .failed(error.text)
            }
        }
    }
}
