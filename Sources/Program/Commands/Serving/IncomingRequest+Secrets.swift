import Foundation
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliRedaction
import ReqcliText

extension IncomingRequest {
    /// The secrets that a request carries. If a response repeats one of these secrets, the secret is removed before the response
    /// is kept.
    ///
    /// Nil if there are so many secrets that a search for all of them would take long.
    func secrets(_ reading: RequestReading) -> [Redactor.Secret]? {
        if reading.secrets?.areTooMany == true { return nil }
        var secrets = reading.secrets?.values ?? []
        func add(_ label: String, _ value: some StringProtocol) {
            if !value.isEmpty { secrets.append(Redactor.Secret(label: label, value: String(value))) }
        }
        for header in headers where LikelySecret.isHeader(header.name) {
            if header.name.lowercased() == "cookie" {
                for cookie in header.value.split(separator: ";") {
                    let pair = cookie.split(separator: "=", maxSplits: 1)
                    // Takes a short value for a setting and not for a secret, because masking it would also mask unrelated words.
                    if pair.count == 2, pair[1].count >= Self.shortestCookie { add("cookie", pair[1]) }
                }
                continue
            }
            add(header.name, header.value)
            let parts = header.value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            add(header.name, parts[1])
            guard parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])),
                let account = String(data: data, encoding: .utf8), let colon = account.firstIndex(of: ":")
            else { continue }
            add(header.name, account[account.index(after: colon)...])
        }
        for item in query where LikelySecret.isSecret(item.name, item.value) { add(item.name, item.value) }
        if mediaType?.isForm == true {
            for item in Self.fields(String(decoding: body, as: UTF8.self))
            where LikelySecret.isSecret(item.name, item.value) {
                add(item.name, item.value)
            }
        } else if let form = MultipartText(self) {
            for part in form.parts where LikelySecret.isSecret(part.name, part.value) { add(part.name, part.value) }
        } else if let json = reading.json {
            OrderedJSON(json).eachSecret(add)
        }
        return secrets.count > RequestSecrets.limit ? nil : secrets
    }

    private static let shortestCookie = 8
}

extension OrderedJSON {
    /// Calls a function with each member whose name says that it is a secret.
    fileprivate func eachSecret(_ found: (String, String) -> Void) {
        switch self {
        case .object(let members):
            for member in members {
                if case .string(let text) = member.value, LikelySecret.isSecret(member.name, text) {
                    found(member.name, text)
                } else if case .number(let text) = member.value, text.utf8.count >= 4, LikelySecret.isName(member.name)
                {
                    found(member.name, text)
                } else {
                    member.value.eachSecret(found)
                }
            }
        case .array(let elements): for element in elements { element.eachSecret(found) }
        case .string, .number, .bool, .null: break
        }
    }
}
