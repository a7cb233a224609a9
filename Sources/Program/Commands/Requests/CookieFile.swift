import Calling
import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

// The file of `--cookie-jar` or `--cookie-file`.
extension Context {
    /// The cookies of a file. A missing jar counts as an empty jar.
    func cookies(_ file: CookieSession.File) throws(Failure) -> CookieSession {
        CookieSession(try jar(file), of: file, clock: world.clock) { note($0) }
    }

    private func jar(_ file: CookieSession.File) throws(Failure) -> CookieJar {
        let source: SourceFile
        let target = try pathFromHere(file.path)
        do throws(FileProblem) {
            source = SourceFile(name: file.path, bytes: try files.read(target, 16 << 20), isSecret: true)
        } catch {
            if error.kind == .missing, file.isJar { return CookieJar() }
            throw Failure(
                .usage, code: .fileUnreadable, "cannot read the \(file.noun) \(file.path): \(error.reason)")
        }
        do throws(CookieFileError) {
            return try CookieJar(checkingNetscapeFile: Array(source.bytes)) { note("\(file.path): \($0)") }
        } catch {
            let place = Place(source, source.range(ofLine: error.line))
            throw Failure(
                .broken,
                [
                    Diagnostic(
                        code: .jarInvalid, "not a valid \(file.noun): \(error.reason)", at: place, hint: file.advice)
                ])
        }
    }

    /// Checks that the jar can be written, before anything is sent.
    func checkWritable(_ cookies: CookieSession) throws(Failure) {
        guard let file = cookies.file, file.isJar else { return }
        let target = try pathFromHere(file.path)
        do throws(WritingProblem) {
            try writing.stageFile(target, .privateReplacement).discard()
        } catch {
            throw unwritable(file, error)
        }
    }

    /// Replaces the file with the current cookies of the jar.
    func save(_ cookies: CookieSession?) throws(Failure) {
        guard let cookies, let file = cookies.file, file.isJar else { return }
        var jar = cookies.middleware.jar
        jar.removeExpired(at: cookies.now)
        let target = try pathFromHere(file.path)
        do throws(WritingProblem) {
            try writing.writeFile(target, Array(jar.netscapeFile.utf8), .privateReplacement)
        } catch {
            throw unwritable(file, error)
        }
    }

    /// Saves the cookies after a failure, because responses before the failed one may have set cookies. The failure itself is
    /// reported in any case.
    func saveAfterFailure(_ cookies: CookieSession?) {
        do throws(Failure) { try save(cookies) } catch { report(error.diagnostics) }
    }

    private func unwritable(_ file: CookieSession.File, _ problem: WritingProblem) -> Failure {
        Failure(.outputFailed, code: .outputFailed, "cannot write the cookie jar \(file.path): \(problem.reason)")
    }
}

extension CookieSession.File {
    fileprivate var noun: String { isJar ? "cookie jar" : "cookie file" }

    fileprivate var advice: String {
        "name a file in the format that curl -c writes" + (isJar ? ", or a new file" : "")
    }
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
