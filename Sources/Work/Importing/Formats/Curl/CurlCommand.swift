package import ReqcliText

/// One call of `curl`, or the part of a call up to `--next`: URLs, and the options that apply to all these URLs.
///
/// Values are shell words, so that variables of the shell are kept.
package struct CurlCommand: Sendable {
    /// A value, and the place of the option that sets it.
    package struct Setting<Value: Sendable>: Sendable {
        package let value: Value
        package let place: Place
    }

    /// A URL, and the file of the `-T` for this URL.
    package struct Target: Sendable {
        package let url: CurlURL
        package let upload: CurlContent?
    }

    package enum AuthKind: String, Sendable {
        case basic, digest, any, ntlm, negotiate
    }

    /// An option that isn't part of an endpoint.
    package struct Unsupported: Sendable {
        /// The option as it is typed: `--proxy`.
        package let option: String
        package let value: ShellWord?
        /// The flag of `reqcli send` that does the same; nil if there is no such flag.
        package let flag: String?
        package let place: Place
    }

    /// The place from the word `curl` or `--next` to the last word.
    package internal(set) var place: Place
    /// The URLs, at least one.
    package internal(set) var targets: [Target] = []
    /// The method of `-X`. It overrides the method that curl would choose because of the other options.
    package internal(set) var customMethod: ShellWord?
    package internal(set) var isHead = false
    /// Whether the data are part of the query: `-G`.
    package internal(set) var sendsDataAsQuery = false
    /// The headers in their order. They include the headers of `-A`, `-e`, `-r` and `-b NAME=VALUE`, unless a `-H` replaces these
    /// headers.
    package internal(set) var headers: [CurlHeader] = []
    package internal(set) var data: [CurlData] = []
    package internal(set) var form: [CurlFormPart] = []
    /// The pieces of `--url-query`, which are appended to the query of each URL.
    package internal(set) var query: [CurlData] = []
    package internal(set) var requestTarget: ShellWord?
    /// Whether a status of 400 or more is an error.
    package internal(set) var fails = false
    /// Whether `/../` stays in a path.
    package internal(set) var keepsDotSegments = false

    /// `name:password`, or the name alone.
    package internal(set) var user: ShellWord?
    package internal(set) var authKinds: [Setting<AuthKind>] = []
    package internal(set) var bearer: ShellWord?
    package internal(set) var awsSigV4: ShellWord?
    /// Files of `-b`.
    package internal(set) var cookieFiles: [ShellWord] = []

    package internal(set) var followsRedirects: Setting<Bool>?
    /// Whether credentials are also sent to other hosts after a redirect.
    package internal(set) var trustsRedirects: Setting<Bool>?
    /// The largest number of redirects; -1 for any number.
    package internal(set) var maxRedirects: Setting<Int>?
    package internal(set) var timeout: Setting<Duration>?
    package internal(set) var connectTimeout: Setting<Duration>?
    package internal(set) var retries: Setting<Int>?
    package internal(set) var retryDelay: Setting<Duration>?
    package internal(set) var retryMaxTime: Setting<Duration>?
    package internal(set) var retriesAllErrors: Setting<Bool>?
    package internal(set) var retriesRefusedConnections: Setting<Bool>?

    package internal(set) var isInsecure: Setting<Bool>?
    package internal(set) var ca: ShellWord?
    /// The file of the certificate, which may be followed by a colon and the password.
    package internal(set) var certificate: ShellWord?
    package internal(set) var key: ShellWord?
    /// The lowest version of TLS: `1.2` for `--tlsv1.2`.
    package internal(set) var minTLSVersion: Setting<String>?
    /// Options whose values mean the same in a file.
    package internal(set) var transferSettings: [TransferWord] = []

    package internal(set) var unsupported: [Unsupported] = []
    /// The flags of `reqcli send` that print or write the response as the command does, with their values.
    package internal(set) var printing: [(flag: String, value: ShellWord?)] = []
    /// The long names of other options without an effect on an endpoint. Some of them have an effect on a call.
    package internal(set) var leftOut: [String] = []

    /// The value of an option that is also a setting of files.
    package struct TransferWord: Sendable {
        /// The option as it is typed: `--tls-max`.
        package let option: String
        /// The name of the setting: `tls.maxVersion`.
        package let name: String
        package let word: ShellWord
    }

    /// Whether the body is given with `--json`. This option also sets `Content-Type` and `Accept`, unless the command has these
    /// headers.
    package var isJSON: Bool { data.contains { $0.kind == .json } }

    /// The method that curl sends.
    package func method(for target: Target) -> ShellWord {
        if let customMethod { return customMethod }
        let hasBody = !data.isEmpty && !sendsDataAsQuery || !form.isEmpty
        let name = isHead ? "HEAD" : target.upload != nil ? "PUT" : hasBody ? "POST" : "GET"
        return ShellWord(name, at: place)
    }
}

/// Text, or a file that is read when the request is sent.
package enum CurlContent: Sendable, Equatable {
    case text(ShellWord)
    /// A file. `-` is the standard input of the caller.
    case file(ShellWord)
}

/// A header as `-H` writes it.
package struct CurlHeader: Sendable {
    package let name: ShellWord
    /// The value. Nil removes the header: `-H 'Accept:'`. Empty for `-H 'Accept;'`.
    package let value: ShellWord?
    package let place: Place
}

/// A piece of the body, or of the query.
package struct CurlData: Sendable {
    package enum Kind: Sendable {
        /// The data of `-d`. Line breaks in files are left out.
        case plain
        case raw
        case binary
        case urlEncoded
        case json
    }

    package let kind: Kind
    /// The name before content that is encoded. The name is sent unchanged.
    package let name: ShellWord?
    package let content: CurlContent
    package let place: Place

    /// The separator between this piece and the piece before it.
    package var separator: String { kind == .json ? "" : "&" }
}

/// A part of a multipart form.
package struct CurlFormPart: Sendable {
    package enum Content: Sendable {
        case text(ShellWord)
        /// `@file`: sent with a file name.
        case upload(ShellWord)
        /// `<file`: the content of the file is sent as a text field.
        case contentOfFile(ShellWord)
    }

    package let name: ShellWord
    package let content: Content
    package internal(set) var type: ShellWord?
    package internal(set) var filename: ShellWord?
    package internal(set) var encoder: ShellWord?
    /// Headers of the part, as lines.
    package internal(set) var headers: [ShellWord] = []
    package let place: Place
}

/// A URL as curl reads it. The URL may contain ranges and alternatives, unless `-g` turns them off.
package struct CurlURL: Sendable {
    package enum Piece: Sendable {
        case text(ShellWord)
        /// `{one,two}`.
        case alternatives([ShellWord], at: Place)
        /// `[1-9:2]`. Numbers are written with at least `width` digits.
        case numbers(ClosedRange<Int>, step: Int, width: Int, at: Place)
        /// `[a-z]`.
        case letters(ClosedRange<UInt8>, step: Int, at: Place)
    }

    package let pieces: [Piece]
    package let place: Place

    /// All words that the pieces stand for; empty if they are more than `limit`.
    func words(atMost limit: Int) -> [ShellWord] { expanded(atMost: limit).map(\.word) }

    /// All words that the pieces stand for, each with the parts that its ranges and alternatives give; empty if they are more than
    /// `limit`.
    package func expanded(atMost limit: Int) -> [(word: ShellWord, parts: [String])] {
        var words: [(word: ShellWord, parts: [String])] = [(ShellWord([], at: place), [])]
        for piece in pieces {
            let next: [ShellWord] =
                switch piece {
                case .text(let word): [word]
                case .alternatives(let words, _): words
                case .numbers(let range, let step, let width, _):
                    stride(from: range.lowerBound, through: range.upperBound, by: max(1, step)).prefix(limit + 1).map {
                        let digits = String($0)
                        return ShellWord(
                            String(repeating: "0", count: max(0, width - digits.count)) + digits, at: place)
                    }
                case .letters(let range, let step, _):
                    stride(from: Int(range.lowerBound), through: Int(range.upperBound), by: max(1, step)).map {
                        ShellWord(String(decoding: [UInt8($0)], as: UTF8.self), at: place)
                    }
                }
            let isPart = if case .text = piece { false } else { true }
            words = words.flatMap { word in
                next.map { (word.word + $0, word.parts + (isPart ? [$0.description] : [])) }
            }
            if words.count > limit { return [] }
        }
        return words
    }

    /// The URL, if it has neither ranges nor alternatives.
    package var word: ShellWord? {
        guard pieces.count == 1, case .text(let word)? = pieces.first else { return nil }
        return word
    }
}
