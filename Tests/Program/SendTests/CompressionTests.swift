import Foundation
import HostileServing
import Testing
import ToolSupport

/// Compressed responses: reqcli asks for them and decodes them, unless the request says otherwise.
struct CompressionTests {
    private struct Exchange {
        let run: ToolRun
        let request: HostileServer.Request
        let workspace: ToolWorkspace
    }

    private func send(
        _ body: [UInt8], coding: String? = "gzip", type: String = "application/json", _ flags: [String] = [],
        endpoint: String = #"{ "path": "/" }"#
    ) async throws -> Exchange {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            let field = coding.map { "Content-Encoding: \($0)\r\n" } ?? ""
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(field)Content-Length: \(body.count)\r\n\r\n")
            connection.send(body)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: endpoint)
        let run = try await Tool.run(["send", "it"] + flags, in: workspace)
        return Exchange(run: run, request: try #require(server.requests.first), workspace: workspace)
    }

    private static func gzip(_ text: String) throws -> [UInt8] {
        Array(try ShellCommand.run("printf %s '\(text)' | gzip -9n"))
    }

    @Test("a compressed body is decoded in a pipe, in a file and for --select")
    func decoded() async throws {
        let packed = try Self.gzip(#"{"a":1}"#)
        let piped = try await send(packed)
        #expect(piped.run.outputText == #"{"a":1}"# && piped.run.errors == "" && piped.run.status == 0)
        #expect(piped.request.values("Accept-Encoding") == ["deflate, gzip, br, zstd"])
        let written = try await send(packed, ["-o", "out"])
        #expect(written.workspace.read("out").map { Array($0) } == Array(#"{"a":1}"#.utf8))
        #expect(try await send(packed, ["--select", "$.a"]).run.outputText == "1\n")
        #expect(try await send(packed, ["-i"]).run.outputText.contains("Content-Encoding: gzip\n"))
    }

    @Test("each coding that was asked for is decoded, and two in a row")
    func codings() async throws {
        let text = "hello, hello, hello"
        let zlib: [UInt8] = [
            0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8, 0x40, 0xA2, 0x00, 0x44, 0x28, 0x06, 0xD5,
        ]
        #expect(try await send(zlib, coding: "deflate").run.outputText == text)
        #expect(try await send(Array(zlib[2..<13]), coding: "deflate").run.outputText == text)
        let brotli: [UInt8] = [
            0x1B, 0x12, 0x00, 0xF8, 0x8D, 0x94, 0x6E, 0xDE, 0x44, 0x09, 0x52, 0x86, 0x96, 0x6C, 0x2C, 0x6F, 0x11, 0x4F,
            0x24, 0xD0, 0x71, 0x00,
        ]
        #expect(try await send(brotli, coding: "br").run.outputText == text)
        let zstd: [UInt8] = [
            0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x13, 0x6D, 0x00, 0x00, 0x38, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x2C, 0x20, 0x01,
            0x00, 0xE2, 0x8A, 0x11,
        ]
        #expect(try await send(zstd, coding: "zstd").run.outputText == text)
        #expect(try await send(zstd + zstd, coding: "zstd").run.outputText == text + text)
        let twice = Array(try ShellCommand.run("printf %s '\(text)' | gzip -n | gzip -n"))
        #expect(try await send(twice, coding: "gzip, x-gzip").run.outputText == text)
    }

    @Test(
        "the bytes are kept as they are sent",
        arguments: [
            (["--raw"], #"{ "path": "/" }"#, []),
            (["-H", "Accept-Encoding: gzip"], #"{ "path": "/" }"#, ["gzip"]),
            (["-H", "Accept-Encoding:"], #"{ "path": "/" }"#, []),
            ([], #"{ "path": "/", "headers": { "accept-encoding": null } }"#, []),
            ([], #"{ "path": "/", "headers": { "Accept-Encoding": "br, gzip" } }"#, ["br, gzip"]),
            (["-H", "Range: bytes=0-5"], #"{ "path": "/" }"#, []),
        ])
    func kept(_ flags: [String], _ endpoint: String, _ accepted: [String]) async throws {
        let packed = try Self.gzip(#"{"a":1}"#)
        let exchange = try await send(packed, flags, endpoint: endpoint)
        #expect(exchange.run.output == packed && exchange.run.status == 0)
        #expect(exchange.request.values("Accept-Encoding") == accepted)
        #expect(try await send(packed, flags + ["--select", "$.a"], endpoint: endpoint).run.outputText == "1\n")
    }

    @Test("a body in a coding that was not asked for is passed on, and --select says why it finds nothing")
    func unknownCoding() async throws {
        for coding in ["UTF-8", "compress", "gzip, aws-chunked"] {
            let exchange = try await send([1, 2, 3], coding: coding)
            #expect(exchange.run.output == [1, 2, 3] && exchange.run.status == 0, "\(exchange.run.errors)")
        }
        let run = try await send([1, 2, 3], coding: "compress", ["--select", "$.a"]).run
        #expect(run.status == 1 && run.errors.contains("--select needs JSON") && run.errors.contains("(compress)"))
    }

    @Test(
        "a body that is not what its Content-Encoding says is an error, and no file is written",
        arguments: [
            (Array("not gzip!".utf8), "gzip", "its compressed body is broken"),
            ([0x1F, 0x8B, 8, 0], "gzip", "its compressed body is cut off"),
            ([0x78, 0x9C, 7], "deflate", "its compressed body is broken"),
            ([0x78], "deflate", "its compressed body is cut off"),
            (Array("not br".utf8), "br", "its compressed body is"),
            (Array("not zstd".utf8), "zstd", "its compressed body is broken"),
            ([0x28, 0xB5, 0x2F, 0xFD, 0x20], "zstd", "its compressed body is cut off"),
        ])
    func broken(_ body: [UInt8], _ coding: String, _ reason: String) async throws {
        let exchange = try await send(body, coding: coding, ["-o", "out"])
        #expect(exchange.run.status == 6 && exchange.run.errors.contains(reason), "\(exchange.run.errors)")
        #expect(exchange.workspace.read("out") == nil)
    }

    @Test("a response without a body may name a coding")
    func empty() async throws {
        #expect(try await send([]).run.status == 0)
        #expect(try await send([], endpoint: #"{ "method": "HEAD", "path": "/" }"#).run.status == 0)
    }

    @Test("events of a compressed stream are printed as they come")
    func stream() async throws {
        let start = try ShellCommand.run(#"python3 -c "\#(Self.flushed)""#)
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n")
            connection.send(Array(start))
            // Nothing follows: the event can only be seen if it is printed now.
            connection.waitForClose()
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "--max-events", "1"], in: workspace)
        #expect(run.status == 0 && run.outputText.contains("one"), "\(run.errors)")
    }

    private static let flushed = """
        import sys, zlib
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        data = packer.compress(b'data: one\\n\\n') + packer.flush(zlib.Z_SYNC_FLUSH)
        sys.stdout.buffer.write(data)
        """

    @Test("check refuses a bomb at --max-body")
    func refusedBomb() async throws {
        let packed = Array(try ShellCommand.run("head -c 268435456 /dev/zero | gzip -9"))
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
            connection.send(packed)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/", "expect": { "body": "x" } }"#)
        let run = try await Tool.run(["check", "--max-body", "1M"], in: workspace)
        #expect(run.status == 1 && run.outputText.contains("larger than 1 MiB"), "\(run.outputText)")
        #expect(run.processorTime < .milliseconds(1500))
    }

    @Test("a decompression bomb is decoded no faster than it is written")
    func bomb() async throws {
        let packed = Array(try ShellCommand.run("head -c 268435456 /dev/zero | gzip -9"))
        let exchange = try await send(packed, ["-o", "/dev/full"])
        #expect(exchange.run.status == 9, "\(exchange.run.errors)")
        #expect(exchange.run.processorTime < .milliseconds(500))
    }
}
