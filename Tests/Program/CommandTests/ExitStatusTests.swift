import Calling
import CommandLineKit
import Exchange
import ReqcliRedaction
import ReqcliText
import Testing

@testable import Commands

struct ExitStatusTests {
    @Test(
        "A request without an answer ends with the status of its reason",
        arguments: [
            (.refused, 6), (.dns, 6), (.tls(.handshake), 6), (.refusedRedirect, 6), (.timeout(.total), 7),
            (.timeout(.idle), 7), (.invalidRequest, 3), (.cannotWrite, 9), (.cancelled, 130),
        ] as [(TransportError.Kind, Int32)])
    func unanswered(_ kind: TransportError.Kind, _ code: Int32) {
        #expect(ReqcliText.ExitStatus(TransportError(kind, target: "example.com")).code == code)
    }

    @Test(
        "A secret in the target or the detail is masked, also if it is a word of the message",
        arguments: [
            ("request", "", "the <s> to <s> can't be sent: change the <s>"),
            ("h", "no request", "the request to h can't be sent (no <s>): change the request"),
            ("change", "it", "the request to change can't be sent (it): change the request"),
        ])
    func wording(_ target: String, _ detail: String, _ shown: String) {
        let error = TransportError(.invalidRequest, target: target, detail: detail)
        #expect(error.wording.text == error.message)
        #expect(Redactor([.init(label: "s", value: "request")]).redact(error.wording).text == shown)
    }

    @Test(
        "The program's message names its own flags and keys, which the library's doesn't",
        arguments: [
            (.timeout(.connect), "no connection to h in time: check the address, or raise timeout.connect"),
            (.timeout(.firstByte), "h didn't begin to respond in time: raise timeout.firstByte"),
            (.timeout(.idle), "h stopped sending data: raise timeout.idle"),
            (
                .tls(.unknownAuthority),
                "the certificate of h is signed by an untrusted authority: name its certificate authority "
                    + "with tls.ca or --ca, or accept any certificate with --insecure"
            ),
            (
                .tls(.clientCertificate),
                "the client certificate for h can't be used: check the files of tls.cert and tls.key"
            ),
            (.tls(.authorities), "the trusted certificates can't be read: check the file of tls.ca"),
            (
                .tls(.handshake),
                "h and this client can't agree on TLS: check that the port speaks TLS (or write http://), and tls.minVersion and tls.maxVersion"
            ),
        ] as [(TransportError.Kind, String)])
    func remedies(_ kind: TransportError.Kind, _ message: String) {
        let error = TransportError(kind, target: "h")
        #expect(error.message == message)
        for word in ["tls.", "timeout.", "--"] { #expect(!error.description.contains(word), "\(error)") }
    }
}
