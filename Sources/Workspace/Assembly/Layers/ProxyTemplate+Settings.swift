import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension ProxyTemplate {
    /// The proxy as it is written in the file, without the password, which may be in plain text.
    var written: String {
        let url = url.source.isEmpty ? "no proxy" : url.source
        return url + (user.map { ", user \(ValueText.text(of: $0.source))" } ?? "")
    }

    /// The proxy with its values filled in. Its password is always treated as a secret.
    func resolve(_ evaluation: inout Evaluation) -> Evaluated<ProxySettings> {
        switch evaluation.text(url) {
        case .failed: return .failed
        case .absent: return .absent
        case .value(let text):
            if let complaint = ServerAddress.proxyComplaint(about: text) {
                evaluation.report(.valueInvalid, "the URL of a proxy \(complaint)", at: url.place)
                return .failed
            }
            return account(&evaluation).map {
                ProxySettings(text, account: $0, usesDigest: authentication == .digest, isTunnel: isTunnel)
            }
        }
    }

    private func account(_ evaluation: inout Evaluation) -> Evaluated<Account?> {
        guard let user, let password else { return .value(nil) }
        let credentials = [("the proxy's user", user), ("the proxy's password", password)]
        let values = evaluation.credentials(credentials, of: "proxy")
        guard case .value(let texts) = values else { return .failed }
        evaluation.keepSecret(texts[1], named: "proxy")
        for (index, (name, template)) in credentials.enumerated() where texts[index].utf8.contains(where: { $0 < 0x20 })
        {
            evaluation.report(.valueInvalid, "\(name) contains a control character", at: template.place)
            return .failed
        }
        return .value(Account(user: texts[0], password: texts[1]))
    }
}
