import CommandLineKit
import Foundation
import OAuth
import ReqcliAssembly
import ReqcliText
import RequestBuilding

/// The person who logs in, at the terminal and in a browser.
final class LoginPerson: Sendable {
    private static let patience = Duration.seconds(300)

    /// The address at which the browser ends the login.
    let redirect: String
    private let context: Context
    private let need: TokenNeed
    /// Waits for the browser; nil if the person pastes its last address.
    private let listener: LoginListener?

    /// - Parameter hasBrowser: Whether a browser on this machine is used, if the client's flow takes one.
    init(_ context: Context, for need: TokenNeed, hasBrowser: Bool) throws(Failure) {
        self.context = context
        self.need = need
        let client = need.client
        listener = hasBrowser && client.flow == .authorizationCode ? try LoginListener(client.redirect) : nil
        redirect = listener?.redirect ?? client.redirect
    }

    /// Logs in with a browser that comes back to this machine, or whose last address the person pastes.
    ///
    /// - Returns: The address that the browser ended at.
    func authorize(_ request: AuthorizationRequest) async throws(Failure) -> String {
        try need.refuseStrayingSecrets(in: request.url)
        guard let listener else {
            context.terminal.write("Open this address in a browser:\n\(TerminalText.harmless(request.url))\n")
            // The address has the code, which must not stay on the screen.
            switch context.terminal.askSecret("Paste the address that the browser ends at (it is not shown): ") {
            case .line(let target): return target.trimmingCharacters(in: .whitespaces)
            case .end: throw Failure(.usage, code: .usageInvalid, "not logged in")
            case .interrupted: throw Failure(.interrupted, [])
            }
        }
        listener.expect(request)
        let address = TerminalText.harmless(request.url)
        // The program that opens the browser runs on, so that it isn't known whether one opened.
        if context.openBrowser(request.url) {
            context.terminal.write(
                "Opened the browser; waiting on \(listener.redirect) …\n"
                    + "If there is none, open this address in a browser on this machine, or pass --no-browser:\n\(address)\n"
            )
        } else {
            context.terminal.write(
                "Open this address in a browser on this machine:\n\(address)\nWaiting on \(listener.redirect) …\n")
        }
        if let target = await listener.answer(within: Self.patience) { return target }
        throw Failure(
            .timedOut, code: .tokenMissing, "nobody logged in within \(Self.patience.text)",
            hint: "run the command again, or pass --no-browser")
    }

    /// Shows where to enter a code.
    func show(_ code: DeviceCode) {
        context.terminal.write(
            "Open \(harmlessLine(code.address)) in a browser on any device, and enter the code \(harmlessLine(code.userCode))\n"
                + "Waiting for at most \(code.lifetime.text) …\n")
    }

    func wait(_ time: Duration) async { try? await context.world.clock.sleep(time) }
}
