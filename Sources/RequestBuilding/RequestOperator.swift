import ASCII

/// One accumulated change to a request, as it can be read back: what it touches, how, and who asked for it.
///
/// The list of them *is* the builder; see ``RequestBuilder/operators`` and ``RequestBuilder/history()``.
public struct RequestOperator: Sendable {
    /// The operator's name as a caller spells it, such as "addingHeader".
    public var name: String { content.name }

    /// The part of the request that it touches.
    public var subject: RequestSubject { content.subject }

    /// Whether it replaces what stood there, adds to it or takes it away.
    public var effect: Effect { content.effect }

    /// What it puts there, in short; nil where it removes.
    public var value: String? { content.value }

    /// Who asked for it; see ``RequestBuilder/withOrigin(_:_:)``.
    public var origin: Origin? { content.origin }

    /// True for a Content-Type that follows from the kind of body, and goes when that body goes.
    public var isImpliedByBody: Bool { content.isImpliedByBody }

    var step: Step { content.step }

    /// Shared by all builders that know the operator: each of them has a list, and lists are copied often.
    private let content: Content

    init(
        name: String, subject: RequestSubject, effect: Effect, value: String?, origin: Origin?, isImpliedByBody: Bool,
        step: Step
    ) {
        content = Content(
            name: name, subject: subject, effect: effect, value: value, origin: origin,
            isImpliedByBody: isImpliedByBody, step: step)
    }

    /// How an operator and what stood there before go together.
    public enum Effect: String, Sendable {
        /// It replaces what stood there.
        case sets
        /// It leaves what stood there and adds to it.
        case adds
        /// It takes away what stood there.
        case removes
    }

    /// The change itself. URL changes all run before request changes, each kind in the order of the operators.
    enum Step: Sendable {
        case url(@Sendable (inout URLDraft) throws -> Void)
        case request(@Sendable (inout RequestDraft) throws -> Void)
    }
}

extension RequestOperator {
    private final class Content: Sendable {
        let name: String
        let subject: RequestSubject
        let effect: Effect
        let value: String?
        let origin: Origin?
        let isImpliedByBody: Bool
        let step: Step

        init(
            name: String, subject: RequestSubject, effect: Effect, value: String?, origin: Origin?,
            isImpliedByBody: Bool, step: Step
        ) {
            self.name = name
            self.subject = subject
            self.effect = effect
            self.value = value
            self.origin = origin
            self.isImpliedByBody = isImpliedByBody
            self.step = step
        }
    }
}

extension RequestOperator: CustomStringConvertible, CustomReflectable {
    /// The subject and the effect on one line, with the ``value`` unless that may be a secret, as those of headers, query
    /// items and bodies may.
    public var description: String {
        let shown =
            switch subject {
            case .header, .queryItem, .body: value == nil ? "" : " …"
            default: value.map { " \($0)" } ?? ""
            }
        let change = "\(subject) \(effect.rawValue)\(shown)"
        return origin.map { "\(change) (\($0))" } ?? change
    }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A part of a request that operators compete for.
public enum RequestSubject: Sendable {
    /// The request method.
    case method
    /// The URL's scheme.
    case scheme
    /// The URL's host.
    case host
    /// The URL's port.
    case port
    /// What a relative path stands below.
    case basePath
    /// The path, or the part of it below the base path.
    case path
    /// All query items of one name.
    case queryItem(String)
    /// All header fields of one name, whatever its case.
    case header(String)
    /// The body.
    case body
    /// A ``TransferSetting``, by its name.
    case setting(String)
    /// Anything else, in words.
    case other(String)
}

extension RequestSubject: Hashable {
    /// Equal where a set of the one replaces the other: header names compare without regard to case.
    public static func == (left: RequestSubject, right: RequestSubject) -> Bool {
        guard left.kind == right.kind else { return false }
        return switch (left, right) {
        case (.queryItem(let name), .queryItem(let other)), (.setting(let name), .setting(let other)),
            (.other(let name), .other(let other)):
            // Bytes, not characters: two spellings of "é" are two names on the wire.
            name.utf8.elementsEqual(other.utf8)
        case (.header(let name), .header(let other)): name.isSameHeader(as: other)
        default: true
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .queryItem(let name), .setting(let name), .other(let name):
            var name = name
            name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .header(let name):
            // Eight bytes at a time: one after the other is ten times the work.
            var (word, count) = (UInt64(0), 0)
            for byte in name.utf8 {
                word = word << 8 | UInt64(byte.lowercased)
                count += 1
                if count % 8 == 0 { hasher.combine(word) }
            }
            hasher.combine(word)
        default: break
        }
    }

    /// Equal for equal subjects, and soon had: what differs in it need not be compared.
    package var fingerprint: Int {
        switch self {
        case .queryItem(let name), .setting(let name), .header(let name), .other(let name):
            kind | name.utf8.count << 4 | Int((name.utf8.last ?? 0) | 0x20) << 32
        default: kind
        }
    }

    private var kind: Int {
        switch self {
        case .method: 0
        case .scheme: 1
        case .host: 2
        case .port: 3
        case .basePath: 4
        case .path: 5
        case .queryItem: 6
        case .header: 7
        case .body: 8
        case .setting: 9
        case .other: 10
        }
    }
}

extension RequestSubject: CustomStringConvertible {
    /// The part's name in a message or a table.
    public var description: String {
        switch self {
        case .method: "method"
        case .scheme: "scheme"
        case .host: "host"
        case .port: "port"
        case .basePath: "base path"
        case .path: "path"
        case .queryItem(let name): "query \(name)"
        case .header(let name): "header \(name)"
        case .body: "body"
        case .setting(let name): name
        case .other(let text): text
        }
    }
}
