import CommandLineKit
import Commands
import Exchange
import Testing

struct ExitStatusTests {
    @Test(
        "A request without an answer ends with the status of its reason",
        arguments: [
            (.refused, 6), (.dns, 6), (.tls(.handshake), 6), (.refusedRedirect, 6), (.timeout(.total), 7),
            (.timeout(.idle), 7), (.invalidRequest, 3), (.cannotWrite, 9), (.cancelled, 130),
        ] as [(TransportError.Kind, Int32)])
    func unanswered(_ kind: TransportError.Kind, _ code: Int32) {
        #expect(CommandLineKit.ExitStatus(TransportError(kind, target: "example.com")).code == code)
    }
}
