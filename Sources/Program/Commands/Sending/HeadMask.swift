import Calling
import Checking
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import RequestBuilding

/// Masks what must not be shown of the heads of a call: secrets, the values of a session's cookies, and what the endpoint captures
/// as a secret.
struct HeadMask: Sendable {
    private(set) var redactor: Redactor
    private let signatures: SignatureBook?
    private let cookies: CookieSession?
    private let captures: CaptureReader?
    private var hidesCookies = false
    /// Whether any header may have the value of a secret capture, because the capture found nothing.
    private var hidesValues = false

    /// - Parameter redactor: Masks the secrets that are known before the call.
    init(_ assembled: AssembledRequest, _ cookies: CookieSession?, _ redactor: Redactor? = nil) {
        self.redactor = redactor ?? assembled.redactor
        self.cookies = cookies
        signatures = assembled.signatures
        captures = CaptureReader.compile(assembled.call.endpoint).value?.ofSecretsInHeads
    }

    /// The mask for a file, which others may read: without the value of any cookie.
    var ofFile: HeadMask {
        var mask = self
        mask.hidesCookies = true
        return mask
    }

    /// The mask that also knows the captured secrets of a head.
    func reading(_ head: ResponseHead) -> HeadMask {
        var mask = self
        if let signatures { mask.redactor = redactor.adding(signatures.secrets) }
        guard let captures, !captures.isEmpty else { return mask }
        var head = head
        if (300..<400).contains(head.status), let target = head.headers["Location"] {
            head.url = URL(string: target, relativeTo: head.url)?.absoluteURL
        }
        let setCookies = (head.redirects.map(\.headers) + [head.headers]).flatMap { $0.values("Set-Cookie") }
        let received = ReceivedResponse(head, body: ReceivedBody([]), setCookies: setCookies)
        let captured = captures.read(received, Excerpts(mask.redactor))
        mask.redactor = Redactor(mask.redactor.secrets + captured.secrets)
        mask.hidesValues = captured.hiddenParts.contains(.headers)
        return mask
    }

    /// The mask that also knows a URL that the endpoint captures as a secret.
    func reading(_ url: URL) -> HeadMask { reading(ResponseHead(status: 500, url: url)) }

    func request(_ fields: HeaderFields) -> HeaderFields {
        (cookies?.masked(fields) ?? fields).redacted(redactor, withNames: false)
    }

    /// Headers or trailers of a response.
    func response(_ fields: HeaderFields) -> HeaderFields {
        let known = cookies?.masked(fields) ?? (hidesCookies ? CookieSession.maskingNew(fields) : fields)
        let masked = known.redacted(redactor)
        return hidesValues ? HeaderFields(masked.map { HeaderFields.Field($0.name, HeaderFields.Field.mask) }) : masked
    }
}
