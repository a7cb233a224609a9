import ReqcliRedaction
import ReqcliText

extension ImportedRequest {
    /// Masks strings that are shown and never sent: names, descriptions, and the responses of the source.
    mutating func mask(_ redactor: Redactor) {
        description = description.map { redactor.maskingTokens($0) }
        name = name.map { redactor.maskingTokens($0) }
        key = key.map { redactor.maskingTokens($0) }
        folders = folders.map { redactor.maskingTokens($0) }
        tags = tags.map { redactor.maskingTokens($0) }
        for index in variants.indices { variants[index].mask(redactor) }
        for index in params.indices { params[index].mapTexts { redactor.maskingTokens($0) } }
    }
}

extension ImportedVariant {
    fileprivate mutating func mask(_ redactor: Redactor) {
        description = description.map { redactor.maskingTokens($0) }
        headers = headers.map { header in
            let isCredential = LikelySecret.isHeader(header.name)
            return OrderedJSON.Member(
                header.name,
                header.value.mappingTexts { text in
                    isCredential || LikelySecret.isSecret(header.name, text) ? "***" : redactor.maskingTokens(text)
                })
        }
        switch body {
        case .json(let value): body = .json(value.maskingSecrets(redactor))
        case .text(let text): body = .text(redactor.maskingTokens(text))
        case .bytes(let bytes): body = .bytes(redactor.redact(bytes))
        case nil: break
        }
    }
}

extension OrderedJSON {
    /// The value with its secrets masked. Secrets are found by their names or by their form.
    fileprivate func maskingSecrets(_ redactor: Redactor) -> OrderedJSON {
        switch self {
        case .string(let text): .string(redactor.maskingTokens(text))
        case .array(let elements): .array(elements.map { $0.maskingSecrets(redactor) })
        case .object(let members):
            .object(
                members.map { member in
                    switch member.value {
                    case .string(let text) where LikelySecret.isSecret(member.name, text):
                        Member(member.name, "***")
                    case .array(let elements) where LikelySecret.isName(member.name):
                        Member(member.name, .array(elements.map { $0.maskingText(redactor) }))
                    // A longer number may be a PIN. A shorter number is probably a count.
                    case .number(let digits) where digits.utf8.count > 3 && LikelySecret.isName(member.name):
                        Member(member.name, .number("0"))
                    default: Member(member.name, member.value.maskingSecrets(redactor))
                    }
                })
        case .null, .bool, .number: self
        }
    }
}

extension OrderedJSON {
    /// A mask, if the value is a string. Any other value with its secrets masked.
    fileprivate func maskingText(_ redactor: Redactor) -> OrderedJSON {
        if case .string = self { "***" } else { maskingSecrets(redactor) }
    }
}

extension ImportedAPI {
    /// Masks tokens in names, since the names of files, groups and variables are made from these names.
    mutating func maskNames() {
        title = title?.withoutTokens
        for index in environments.indices { environments[index].name = environments[index].name?.withoutTokens }
    }
}
