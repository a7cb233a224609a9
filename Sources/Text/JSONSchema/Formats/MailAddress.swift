import ReqcliJSONPath

/// Mail addresses (RFC 5321, and RFC 6531 for other scripts).
enum MailAddress {
    static func isValid(_ text: String, isInternational: Bool) -> Bool {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let (local, domain) = (String(text[..<at]), String(text[text.utf8.index(after: at)...]))
        return (1...64).contains(local.utf8.count) && (isInternational || text.utf8.allSatisfy { $0 < 0x80 })
            && FormatPattern.mailbox?.matches(local) == true
            && (DomainName.isValid(domain, isInternational: isInternational)
                || FormatPattern.addressInMail?.matches(domain) == true)
    }
}
