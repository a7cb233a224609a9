import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The cookies that requests send and responses set. They come from `--cookie-jar`, a file that is read before anything is sent
/// and written at the end; from `--cookie-file`, which is only read; or from the responses of needed calls.
final class CookieSession: Sendable {
    /// A file of cookies that a flag names.
    struct Source: Sendable {
        /// The path as it was typed.
        let path: String
        /// Whether the cookies are saved at the end.
        let isJar: Bool

        var flag: String { isJar ? "--cookie-jar" : "--cookie-file" }
        fileprivate var noun: String { isJar ? "cookie jar" : "cookie file" }
        fileprivate var advice: String {
            "name a file in the format that curl -c writes" + (isJar ? ", or a new file" : "")
        }
    }

    struct File {
        let source: Source
        fileprivate let target: String
    }

    /// The file of `--cookie-jar` or `--cookie-file`.
    let file: File?
    /// Adds the cookies to requests, and collects the cookies that responses set.
    let middleware: CookieMiddleware
    private let context: Context

    /// The cookies of a file. A missing jar counts as an empty jar.
    convenience init(_ source: Source, _ context: Context) throws(Failure) {
        let target = try context.pathFromHere(source.path)
        self.init(try Self.jar(source, at: target, context), of: File(source: source, target: target), context)
    }

    init(_ jar: CookieJar, of file: File? = nil, _ context: Context) {
        self.file = file
        self.context = context
        let now = context.world.clock.date
        middleware = CookieMiddleware(
            jar, now: { Date(timeIntervalSince1970: now()) }, onRefused: { context.note($0.description) })
    }

    private static func jar(_ source: Source, at target: String, _ context: Context) throws(Failure) -> CookieJar {
        let path = source.path
        let file: SourceFile
        do throws(FileProblem) {
            file = SourceFile(name: path, bytes: try context.files.read(target, 16 << 20), isSecret: true)
        } catch {
            if error.kind == .missing, source.isJar { return CookieJar() }
            throw Failure(.usage, code: .fileUnreadable, "cannot read the \(source.noun) \(path): \(error.reason)")
        }
        do throws(CookieFileError) {
            return try CookieJar(checkingNetscapeFile: Array(file.bytes)) { context.note("\(path): \($0)") }
        } catch {
            let place = Place(file, file.range(ofLine: error.line))
            throw Failure(
                .broken,
                [
                    Diagnostic(
                        code: .jarInvalid, "not a valid \(source.noun): \(error.reason)", at: place,
                        hint: source.advice)
                ])
        }
    }

    private var now: Date { Date(timeIntervalSince1970: context.world.clock.date()) }

    // MARK: Writing

    /// Checks that the file can be written, before anything is sent.
    func checkWritable() throws(Failure) {
        guard let file, file.source.isJar else { return }
        do throws(WritingProblem) {
            try context.writing.stageFile(file.target, .privateReplacement).discard()
        } catch {
            throw unwritable(file, error)
        }
    }

    /// Replaces the file with the current cookies of the jar.
    func save() throws(Failure) {
        guard let file, file.source.isJar else { return }
        var jar = middleware.jar
        jar.removeExpired(at: now)
        do throws(WritingProblem) {
            try context.writing.writeFile(file.target, Array(jar.netscapeFile.utf8), .privateReplacement)
        } catch {
            throw unwritable(file, error)
        }
    }

    /// Saves the cookies after a failure, because responses before the failed one may have set cookies. The failure itself is
    /// reported in any case.
    func saveAfterFailure() {
        do throws(Failure) { try save() } catch { context.report(error.diagnostics) }
    }

    private func unwritable(_ file: File, _ problem: WritingProblem) -> Failure {
        Failure(
            .outputFailed, code: .outputFailed, "cannot write the cookie jar \(file.source.path): \(problem.reason)")
    }
}

// MARK: - Showing

extension CookieSession {
    /// The minimum length of a value that counts as a secret. Shorter values are hardly secrets, and occur in too many places by
    /// chance: `1`, `en`, `true`.
    private static let shortestSecret = 8

    /// The values of the cookies that a request carries, so that these values are masked wherever they occur.
    func secrets(for url: URL?) -> [ResolvedSecret] {
        guard let url else { return [] }
        return middleware.jar.cookies(for: url, now: now).filter { $0.value.utf8.count >= Self.shortestSecret }.map {
            ResolvedSecret(name: "cookie.\($0.name)", value: $0.value, origin: .cookie)
        }
    }

    /// The cookies that a request carries, in the form of its header.
    func pairs(for assembled: AssembledRequest) -> [String] {
        middleware.jar.cookies(for: assembled.request.url, now: now).map { "\($0.name)=\($0.value)" }
    }

    /// A request with the jar's cookies written into its header, for formats that can't name a cookie jar.
    func showing(_ assembled: AssembledRequest, isRevealing: Bool) throws(Failure) -> AssembledRequest {
        let cookies = middleware.jar.cookies(for: assembled.request.url, now: now)
        guard !cookies.isEmpty else { return assembled }
        let own = assembled.request.headers.values("Cookie")
        let all = own + cookies.map { "\($0.name)=\(isRevealing ? $0.value : Self.mask($0.name))" }
        let origin =
            file.map { Origin(layer: "command line", flag: "\($0.source.flag) \($0.source.path)") }
            ?? Origin(layer: "needs")
        return try assembled.extended(from: origin) {
            $0.header("Cookie", all.joined(separator: "; "))
        }
    }

    /// Headers of a request or a response, with the values of the jar's cookies masked, however short they are.
    func masked(_ fields: HeaderFields) -> HeaderFields {
        let known = Set(middleware.jar.cookies.map { "\($0.name)=\($0.value)" })
        return HeaderFields(
            fields.map { field in
                switch field.name.lowercased() {
                case "cookie":
                    let pairs = field.value.utf8.split(separator: Array("; ".utf8), omittingEmptySubsequences: false)
                        .map {
                            known.contains(String(Substring($0)))
                                ? Self.maskedPair(Substring($0)) : String(Substring($0))
                        }
                    return HeaderFields.Field(field.name, pairs.joined(separator: "; "))
                case "set-cookie":
                    let end = field.value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? field.value.endIndex
                    return HeaderFields.Field(
                        field.name, Self.maskedPair(field.value[..<end]) + field.value[end...])
                default: return field
                }
            })
    }

    private static func maskedPair(_ pair: Substring) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), pair.utf8.index(after: equals) < pair.endIndex
        else { return String(pair) }
        return "\(pair[..<equals])=\(mask(String(pair[..<equals])))"
    }

    private static func mask(_ name: String) -> String { "<secret.cookie.\(name)>" }
}

extension SourceFile {
    /// The range of the bytes of a line, without its line break. Lines are counted from 1.
    fileprivate func range(ofLine number: Int) -> Range<Int> {
        var start = 0
        for _ in 1..<max(number, 1) {
            guard let end = bytes[start...].firstIndex(of: 0x0A) else { break }
            start = end + 1
        }
        return lineRange(containing: start)
    }
}

extension Diagnostic.Code {
    static let jarInvalid: Self = "cookie-jar.invalid"
}
