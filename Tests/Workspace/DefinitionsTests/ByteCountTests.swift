import ReqcliDefinitions
import Testing

struct ByteCountTests {
    @Test(
        "A number of bytes is written with K, M or G, or without a unit",
        arguments: [
            ("1", 1, "1 byte"), ("1000", 1000, "1000 bytes"), ("64K", 65536, "64 KiB"), ("512M", 512 << 20, "512 MiB"),
            ("1G", 1 << 30, "1 GiB"),
        ])
    func read(_ text: String, _ bytes: Int, _ shown: String) {
        #expect(ByteCount(text)?.bytes == bytes)
        #expect(ByteCount(text)?.description == shown)
        #expect(ByteCount(bytes).short == text)
    }

    @Test("Nothing else is one", arguments: ["", "M", "-1", "1.5G", "1g", "1 M", "1MB", "9999999999G", "٣"])
    func refused(_ text: String) { #expect(ByteCount(text) == nil) }
}
