import ReqcliText
import RequestBuilding

/// A code that a person enters in a browser on any device (RFC 8628).
package struct DeviceCode: Sendable {
    package let userCode: String
    /// The address at which the code is entered.
    package let address: String
    /// The time for which the code is valid.
    package let lifetime: Duration
    /// The code that only the two programs know.
    fileprivate let secret: String
    fileprivate let interval: Int

    init(_ response: OAuthResponse, from url: String) throws(OAuthProblem) {
        let root = try response.object(from: url)
        guard response.status == 200 else { throw OAuthFlow.problem(in: root, response.status, url) }
        // Google wrote `verification_url` before there was an RFC.
        guard let secret = root.text("device_code"), let code = root.text("user_code"),
            let address = root.text("verification_uri") ?? root.text("verification_url")
        else { throw OAuthProblem(wording: "\(url) responded without a code for the device") }
        // A person types the code. Longer texts could fill the terminal.
        guard code.count <= 64, address.count <= 2048 else {
            throw OAuthProblem(
                wording: "\(url) responded with a code or an address that is too long for a person to enter")
        }
        if let complaint = OAuthClient.complaint(aboutServer: address) {
            throw OAuthProblem(wording: "the address at which \(url) wants the code, \(address), \(own: complaint)")
        }
        self.secret = secret
        self.address = address
        userCode = code
        let seconds = root["expires_in"]?.number?.int ?? 600
        lifetime = .seconds(min(max(seconds, 1), 3600))
        interval = min(max(root["interval"]?.number?.int ?? 5, 1), max(seconds, 1))
    }
}

extension OAuthFlow {
    /// Gets a token after a person has entered a code on any device.
    package func deviceCode() throws(OAuthProblem) -> OAuthStep {
        try discovering { metadata throws(OAuthProblem) in
            guard let url = metadata.device else {
                throw OAuthProblem(wording: "\(client.serverName) names no device_authorization_endpoint")
            }
            return .send(try post(url, scope + others)) { response throws(OAuthProblem) in
                let code = try DeviceCode(response, from: url)
                return .show(code) { poll(code, after: code.interval, .zero, metadata.endpoints) }
            }
        }
    }

    /// Asks for the token after a number of seconds, and again and again until the person has entered the code.
    private func poll(
        _ code: DeviceCode, after seconds: Int, _ waited: Duration, _ endpoints: OAuthEndpoints
    ) -> OAuthStep {
        .wait(.seconds(seconds)) { () throws(OAuthProblem) in
            let form = [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code.secret),
            ]
            return .send(try post(endpoints.token, form + others)) { response throws(OAuthProblem) in
                do throws(OAuthProblem) {
                    return .done(try Self.grant(in: response, endpoints))
                } catch {
                    let waited = waited + .seconds(seconds)
                    guard waited < code.lifetime else {
                        throw OAuthProblem(wording: "the code was not entered in time", hint: "log in again")
                    }
                    switch error.code {
                    // The server is busy for a moment.
                    case nil where response.status >= 500:
                        return poll(code, after: seconds + 5, waited, endpoints)
                    case "authorization_pending": return poll(code, after: seconds, waited, endpoints)
                    case "slow_down": return poll(code, after: seconds + 5, waited, endpoints)
                    default: throw error
                    }
                }
            }
        }
    }
}
