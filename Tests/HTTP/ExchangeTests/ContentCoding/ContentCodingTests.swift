import Exchange
import Foundation
import TestSupport
import Testing
import ToolSupport

struct ContentCodingTests {
    /// "hello, hello, hello" as zlib packs it.
    private static let zlib: [UInt8] = [
        0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8, 0x40, 0xA2, 0x00, 0x44, 0x28, 0x06, 0xD5,
    ]

    /// The same text as Brotli and Zstandard pack it.
    private static let brotli: [UInt8] = [
        0x1B, 0x12, 0x00, 0xF8, 0x8D, 0x94, 0x6E, 0xDE, 0x44, 0x09, 0x52, 0x86, 0x96, 0x6C, 0x2C, 0x6F, 0x11, 0x4F,
        0x24,
        0xD0, 0x71, 0x00,
    ]
    private static let zstd: [UInt8] = [
        0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x13, 0x6D, 0x00, 0x00, 0x38, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x2C, 0x20, 0x01,
        0x00,
        0xE2, 0x8A, 0x11,
    ]

    private func decode(_ bytes: [UInt8], _ codings: String...) throws -> [UInt8] {
        try ContentCoding.decode(bytes, codings, limit: 16 << 20)
    }

    @Test("deflate is read with its head, and without it as some servers send it")
    func deflate() throws {
        let text = Array("hello, hello, hello".utf8)
        #expect(try decode(Self.zlib, "deflate") == text)
        #expect(try decode(Array(Self.zlib[2..<13]), "deflate") == text)
    }

    @Test("Brotli and Zstandard are read, of the latter several frames in a row, and byte by byte")
    func others() throws {
        let text = Array("hello, hello, hello".utf8)
        #expect(try decode(Self.brotli, "br") == text)
        #expect(try decode(Self.zstd + Self.zstd, "zstd") == text + text)
        for (coding, bytes) in [(ContentCoding.brotli, Self.brotli), (.zstd, Self.zstd), (.deflate, Self.zlib)] {
            let decoder = ContentDecoder(coding)
            var result: [UInt8] = []
            for byte in bytes {
                decoder.append(CollectionOfOne(byte))
                while let piece = try decoder.next() { result += piece }
            }
            #expect(result == text)
        }
    }

    @Test("A window above 8 MiB, which would take that much memory, is refused")
    func largeWindow() throws {
        // A frame that declares a window of 2 GiB, and a block of 128 KiB of one byte.
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 0x03, 0x00, 0x10, 0x61]
        #expect { try decode(frame, "zstd") } throws: { ($0 as? ContentCodingProblem)?.kind == .damaged }
        // The same block in a window of 8 MiB.
        #expect(try decode(Array(frame[..<5]) + [0x68] + Array(frame[6...]), "zstd").count == 1 << 17)
    }

    @Test("Codings come off in the opposite order, however they are listed")
    func severalCodings() async throws {
        let once = try await gzip(Self.zlib)
        #expect(try decode(once, "deflate, gzip") == decode(Self.zlib, "deflate"))
        #expect(try decode(once, "DEFLATE", " x-gzip") == decode(Self.zlib, "deflate"))
        #expect(try decode([1, 2], "identity", "") == [1, 2])
        #expect(try decode([], "gzip") == [])
    }

    @Test("What gzip packs comes back", arguments: [1, 6, 9])
    func roundTrip(_ level: Int) async throws {
        var random = SeededGenerator(seed: UInt64(level))
        let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let words = (0..<40_000).flatMap { _ in
            Array(["the ", "quick ", "brown ", "é", "\n\n", "fox "].randomElement(using: &random, or: "").utf8)
        }
        let samples = [[], [0], noise, words, [UInt8](repeating: 7, count: 1 << 20), words + noise + words]
        for sample in samples { #expect(try await decode(gzip(sample, "-\(level)"), "gzip") == sample) }
    }

    @Test("Several gzip files in a row are one body; a name and a comment in the head are passed over")
    func gzipHeads() async throws {
        let (one, two) = (try await gzip(Array("one".utf8)), try await gzip(Array("two".utf8)))
        #expect(try decode(one + two, "gzip") == Array("onetwo".utf8))
        var named = one
        named[3] = 0b1_1100
        named.insert(contentsOf: [2, 0, 9, 9] + Array("name\0comment\0".utf8), at: 10)
        #expect(try decode(named, "gzip") == Array("one".utf8))
    }

    @Test(
        "What can't be decoded says why",
        arguments: [
            ("compress", [1], ContentCodingProblem.Kind.unknown("compress")), ("br", Self.brotli + [0], .damaged),
            ("br", Array(Self.brotli.dropLast()), .cutOff), ("zstd", Self.zstd + [0], .damaged),
            ("zstd", [1, 2, 3, 4], .damaged),
            ("gzip", [1, 2, 3], .damaged), ("gzip", [0x1F, 0x8B, 8], .cutOff),
            ("gzip", Array("<html>not gzip</html>".utf8), .damaged),
            ("deflate", Array(Self.zlib.dropLast()), .cutOff),
            ("deflate", Self.zlib.dropLast() + [0], .damaged),
            ("deflate", [7], .damaged),
            ("deflate", Self.zlib + [0], .damaged),
        ])
    func problems(_ coding: String, _ bytes: [UInt8], _ kind: ContentCodingProblem.Kind) {
        #expect { try decode(bytes, coding) } throws: { ($0 as? ContentCodingProblem)?.kind == kind }
    }

    @Test("Little that would become much is refused in time")
    func bomb() async throws {
        let bomb = try await gzip([UInt8](repeating: 0, count: 1 << 20))
        #expect(bomb.count < 2_000)
        #expect(try ContentCoding.decode(bomb, ["gzip"], limit: 1 << 20).count == 1 << 20)
        #expect { try ContentCoding.decode(bomb, ["gzip"], limit: 1 << 20 - 1) } throws: {
            ($0 as? ContentCodingProblem)?.kind == .tooLarge
        }
    }

    @Test("Damage is never passed over and never a trap")
    func damage() async throws {
        let text = Array("to be or not to be, that is the question; ".utf8)
        let sound = try await gzip(text + text.reversed() + text)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            var broken = sound
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { broken.removeLast(Int.random(in: 1..<broken.count, using: &random)) }
            // Time and system in the head say nothing about the content, and a flag may stand for nothing.
            if let result = try? decode(broken, "gzip") {
                #expect(broken[10...] == sound[10...] || result == text + text.reversed() + text)
            }
            _ = try? decode(broken, "deflate")
            _ = try? decode(Array(broken.dropFirst(10)), "deflate")
        }
    }

    private func gzip(_ bytes: [UInt8], _ options: String...) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = try folder.write("body", bytes)
        let outcome = try await Tool.run(options + ["-n", file], in: folder.path, program: ["gzip"])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try #require(folder.bytes("body.gz"))
    }
}

extension Array {
    fileprivate func randomElement(using generator: inout some RandomNumberGenerator, or other: Element) -> Element {
        randomElement(using: &generator) ?? other
    }
}
