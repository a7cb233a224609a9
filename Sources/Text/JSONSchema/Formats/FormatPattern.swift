import ReqcliJSONPath

/// The patterns of formats, which match a whole string. The names of the parts are those of the RFC's grammar.
enum FormatPattern {
    static let date = pattern(dateText)
    static let time = pattern(timeText)
    static let dateTime = pattern("\(dateText)[Tt]\(timeText)")

    /// RFC 3339, appendix A: no unit may be missing between two others, and weeks can't be combined with other units.
    static let duration: IRegexp? = {
        let date = "([0-9]+Y([0-9]+M([0-9]+D)?)?|[0-9]+M([0-9]+D)?|[0-9]+D)"
        let time = "T([0-9]+H([0-9]+M([0-9]+S)?)?|[0-9]+M([0-9]+S)?|[0-9]+S)"
        return pattern("P([0-9]+W|\(date)(\(time))?|\(time))")
    }()

    static let ipv4 = pattern(ipv4Text)
    static let ipv6 = pattern(ipv6Text)
    static let uuid = pattern("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
    static let jsonPointer = pattern(jsonPointerText)
    static let relativeJSONPointer = pattern("(0|[1-9][0-9]*)(#|\(jsonPointerText))")

    static let uri = pattern(resourceIdentifier(isInternational: false, isReference: false))
    static let uriReference = pattern(resourceIdentifier(isInternational: false, isReference: true))
    static let iri = pattern(resourceIdentifier(isInternational: true, isReference: false))
    static let iriReference = pattern(resourceIdentifier(isInternational: true, isReference: true))

    /// RFC 6570.
    static let uriTemplate: IRegexp? = {
        let name = "([A-Za-z0-9_]|\(escape))+"
        let variable = #"\#(name)(\.\#(name))*(\*|:[1-9][0-9]{0,3})?"#
        let expression = #"\{[+#./;?&]?\#(variable)(,\#(variable))*\}"#
        return pattern(#"([^\x00-\x20\x7F"<>\\^`{|}%]|\#(escape)|\#(expression))*"#)
    }()

    /// The part of a mail address before `@` (RFC 5321, and RFC 6531 for other scripts).
    static let mailbox: IRegexp? = {
        let atom = #"[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u{80}-\u{10FFFF}]+"#
        return pattern(#""([^\x00-\x1F\x7F"\\]|\\[^\x00-\x1F\x7F])*"|\#(atom)(\.\#(atom))*"#)
    }()
    static let addressInMail = pattern(#"\[([Ii][Pp][Vv]6:(\#(ipv6Text))|\#(ipv4Text))\]"#)

    private static func pattern(_ text: String) -> IRegexp? { try? IRegexp(ecma: text) }

    // MARK: Parts

    private static let dateText: String = {
        let long = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
        let short = "(0[469]|11)-(0[1-9]|[12][0-9]|30)"
        let leapYear = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
        return "([0-9]{4}-(\(long)|\(short)|02-(0[1-9]|1[0-9]|2[0-8]))|\(leapYear)-02-29)"
    }()
    /// A second may be 60, which only `DateTimeText` checks.
    private static let timeText: String = {
        let hourAndMinute = "([01][0-9]|2[0-3]):[0-5][0-9]"
        return #"\#(hourAndMinute):([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+\-]\#(hourAndMinute))"#
    }()

    private static let ipv4Text: String = {
        let number = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
        return #"\#(number)(\.\#(number)){3}"#
    }()
    /// RFC 4291. One run of zeros may be written as `::`, and the last two groups as an IPv4 address.
    private static let ipv6Text: String = {
        let group = "[0-9A-Fa-f]{1,4}"
        let last = "(\(group):\(group)|\(ipv4Text))"
        func upTo(_ count: Int) -> String { count == 0 ? "" : "((\(group):){0,\(count - 1)}\(group))?" }
        return
            (["(\(group):){6}\(last)"] + (0...5).map { "\(upTo($0))::(\(group):){\(5 - $0)}\(last)" }
            + ["\(upTo(6))::\(group)", "\(upTo(7))::"]).joined(separator: "|")
    }()

    private static let jsonPointerText = "(/([^~/]|~[01])*)*"

    private static let escape = "%[0-9A-Fa-f]{2}"

    /// URIs (RFC 3986) and IRIs (RFC 3987).
    private static func resourceIdentifier(isInternational: Bool, isReference: Bool) -> String {
        let planes = (0x1...0xD).map { String($0, radix: 16) }.map { #"\u{\#($0)0000}-\u{\#($0)FFFD}"# }.joined()
        let ucschar =
            isInternational ? #"\u{A0}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFEF}\u{E1000}-\u{EFFFD}"# + planes : ""
        let iprivate = isInternational ? #"\u{E000}-\u{F8FF}\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}"# : ""
        let plain = #"A-Za-z0-9\-._~!$&'()*+,;=\#(ucschar)"#
        func characters(_ others: String) -> String { "([\(plain)\(others)]|\(escape))" }
        let pchar = characters(":@")
        let literal = #"\[(\#(ipv6Text)|[Vv][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+)\]"#
        let authority = "(\(characters(":"))*@)?(\(literal)|\(characters(""))*)(:[0-9]*)?"
        let absolute = "//\(authority)(/\(pchar)*)*|/(\(pchar)+(/\(pchar)*)*)?"
        let tail = #"(\?\#(characters(":@/?\(iprivate)"))*)?(#\#(characters(":@/?"))*)?"#
        let full = #"[A-Za-z][A-Za-z0-9+\-.]*:(\#(absolute)|(\#(pchar)+(/\#(pchar)*)*)?)"#
        // Without a scheme, the text before a colon in the first segment would look like a scheme.
        let relative = "\(absolute)|(\(characters("@"))+(/\(pchar)*)*)?"
        return isReference ? "(\(full)|\(relative))\(tail)" : full + tail
    }
}
