package import Foundation
import TestSupport

/// Certificates that `openssl` makes for one test run, all signed by the same test authority.
package final class TLSFixture: Sendable {
    private let folder: TemporaryFolder

    /// The kinds of certificates, most of them for a server.
    package enum Certificate: String, Sendable, CaseIterable {
        case good, expired, wrongHost, selfSigned, client
    }

    package static var isAvailable: Bool { ShellCommand.has("openssl") }

    package init() throws {
        folder = try TemporaryFolder()
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        func make(_ name: Certificate, host: String, days: Int) throws {
            let request = "openssl req \(key) -keyout \(name).key -out \(name).csr -subj /CN=\(host)"
            let names = host == "localhost" ? "DNS:localhost,IP:127.0.0.1" : "DNS:\(host)"
            _ = try ShellCommand.run("\(request) -addext subjectAltName=\(names)", in: folder)
            _ = try ShellCommand.run(
                "openssl x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days) "
                    + "-copy_extensions copyall -out \(name).pem", in: folder)
        }
        func makeSelfSigned(_ name: String, _ host: String, _ more: String = "") throws {
            _ = try ShellCommand.run(
                "openssl req -x509 \(key) -keyout \(name).key -out \(name).pem -subj '/CN=\(host)' -days 2 \(more)",
                in: folder)
        }
        try makeSelfSigned("ca", "Test Authority")
        try makeSelfSigned("selfSigned", "localhost", "-addext subjectAltName=DNS:localhost,IP:127.0.0.1")
        try make(.good, host: "localhost", days: 2)
        try make(.expired, host: "localhost", days: -1)
        try make(.wrongHost, host: "other.example", days: 2)
        try make(.client, host: "client", days: 2)
    }

    /// The path of the authority's PEM file.
    package var authority: String { "\(folder.path)/ca.pem" }

    /// The path of a certificate's PEM file.
    package func certificate(_ name: Certificate) -> String { "\(folder.path)/\(name).pem" }

    /// The path of the PEM file with a certificate's key.
    package func key(_ name: Certificate) -> String { "\(folder.path)/\(name).key" }
}

/// `openssl s_server`, which responds to every request with its own page.
package final class TLSServer: Sendable {
    private let process: ChildProcess
    /// The port that it listens on.
    package let port: Int

    /// Starts a server with this certificate.
    package init(_ fixture: TLSFixture, _ certificate: TLSFixture.Certificate, options: [String] = []) throws {
        process = try ChildProcess(
            server: [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", fixture.certificate(certificate),
            ]
                + ["-key", fixture.key(certificate)] + options)
        var text = ""
        while !text.contains("ACCEPT ") || text.last != "\n" {
            let bytes = process.read()
            guard !bytes.isEmpty else {
                throw SetupFailure("openssl s_server ended: \(text)")
            }
            text += String(decoding: bytes, as: UTF8.self)
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") } ?? ""
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw SetupFailure("openssl s_server said \(text)")
        }
        self.port = port
    }

    /// The server's URL. The certificate is for the host name in this URL.
    package var url: URL { URL(string: "https://localhost:\(port)/")! }
}
