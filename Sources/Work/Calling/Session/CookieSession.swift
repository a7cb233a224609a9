package import Exchange
package import Foundation
package import ReqcliAssembly
package import ReqcliText
package import RequestBuilding

/// The cookies that requests send and responses set. They come from `--cookie-jar`, a file that is read before anything is sent
/// and written at the end; from `--cookie-file`, which is only read; or from the responses of needed calls.
package final class CookieSession: Sendable {
    /// A file of cookies that a flag names.
    package struct File: Sendable {
        /// The path as it was typed.
        package let path: String
        /// Whether the cookies are saved at the end.
        package let isJar: Bool

        package init(path: String, isJar: Bool) {
            self.path = path
            self.isJar = isJar
        }

        package var flag: String { isJar ? "--cookie-jar" : "--cookie-file" }
    }

    /// The file of `--cookie-jar` or `--cookie-file`.
    package let file: File?
    /// Adds the cookies to requests, and collects the cookies that responses set.
    package let middleware: CookieMiddleware
    private let clock: WorldClock

    /// - Parameter note: Shows a note about a cookie that is not kept.
    package init(
        _ jar: CookieJar, of file: File? = nil, clock: WorldClock, note: @escaping @Sendable (String) -> Void
    ) {
        self.file = file
        self.clock = clock
        middleware = CookieMiddleware(
            jar, now: { Date(timeIntervalSince1970: clock.date()) }, suffixes: .system,
            onRefused: { note($0.description) })
    }

    package var now: Date { Date(timeIntervalSince1970: clock.date()) }
}

extension CookieSession {
    /// The minimum length of a value that counts as a secret. Shorter values are hardly secrets, and occur in too many places by
    /// chance: `1`, `en`, `true`.
    private static let shortestSecret = 8

    /// The values of the cookies that a request carries, so that these values are masked wherever they occur.
    package func secrets(for url: URL?) -> [ResolvedSecret] {
        guard let url else { return [] }
        return middleware.jar.cookies(for: url, now: now).filter { $0.value.utf8.count >= Self.shortestSecret }.map {
            ResolvedSecret(name: "cookie.\($0.name)", value: $0.value, origin: .cookie)
        }
    }

    /// The cookies that a request carries, in the form of its header.
    package func pairs(for assembled: AssembledRequest) -> [String] {
        middleware.jar.cookies(for: assembled.request.url, now: now).map { "\($0.name)=\($0.value)" }
    }

    /// A request with the jar's cookies written into its header, for formats that can't name a cookie jar.
    package func showing(_ assembled: AssembledRequest, isRevealing: Bool) throws(Failure) -> AssembledRequest {
        let cookies = middleware.jar.cookies(for: assembled.request.url, now: now)
        guard !cookies.isEmpty else { return assembled }
        let own = assembled.request.headers.values("Cookie")
        let all = own + cookies.map { "\($0.name)=\(isRevealing ? $0.value : Self.mask($0.name))" }
        let origin =
            file.map { Origin(layer: "command line", flag: "\($0.flag) \($0.path)") }
            ?? Origin(layer: "needs")
        return try assembled.extended(from: origin) {
            $0.header("Cookie", all.joined(separator: "; "))
        }
    }

    /// Headers of a request or a response, with the values of the jar's cookies masked, however short they are.
    package func masked(_ fields: HeaderFields) -> HeaderFields {
        let known = Set(middleware.jar.cookies.map { "\($0.name)=\($0.value)" })
        return HeaderFields(
            Self.maskingNew(fields).map { field in
                guard field.name.isSameHeader(as: "Cookie") else { return field }
                let pairs = field.value.utf8.split(separator: Array("; ".utf8), omittingEmptySubsequences: false).map {
                    let pair = Substring($0)
                    return known.contains(String(pair)) ? Self.maskedPair(pair) : String(pair)
                }
                return HeaderFields.Field(field.name, pairs.joined(separator: "; "))
            })
    }

    /// Headers of a response, with the values of the cookies that it sets masked.
    package static func maskingNew(_ fields: HeaderFields) -> HeaderFields {
        HeaderFields(
            fields.map { field in
                guard field.name.isSameHeader(as: "Set-Cookie") else { return field }
                let end = field.value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? field.value.endIndex
                return HeaderFields.Field(field.name, maskedPair(field.value[..<end]) + field.value[end...])
            })
    }

    private static func maskedPair(_ pair: Substring) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), pair.utf8.index(after: equals) < pair.endIndex
        else { return String(pair) }
        return "\(pair[..<equals])=\(mask(String(pair[..<equals])))"
    }

    private static func mask(_ name: String) -> String { "<secret.cookie.\(name)>" }
}
