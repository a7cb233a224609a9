import Glibc
import SourceText

let path = CommandLine.arguments[1]
let fd = open(path, O_RDONLY); var st = stat(); fstat(fd, &st)
let bytes = [UInt8](unsafeUninitializedCapacity: Int(st.st_size)) { b, n in
    n = 0; while n < b.count { n += read(fd, b.baseAddress! + n, b.count - n) }
}
let clock = ContinuousClock()
let t = clock.measure {
    bytes.withUnsafeBufferPointer {
        var r = JSONReader($0); var n = 0; while let _ = r.next() { n += 1 }; print(n, r.problems)
    }
}
print(
    "skim", t, Double(bytes.count) / 1e6 / (Double(t.components.attoseconds) / 1e18 + Double(t.components.seconds)),
    "MB/s")
let f = SourceFile(name: "x", bytes: bytes)
var d: JSONDocument?
let t2 = clock.measure { d = JSONDocument.read(f) }
print("tape", t2, d!.root!.count)
