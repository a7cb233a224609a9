import ReqcliBasics

/// One change to a request: the part that is changed, the kind of change, and its origin.
///
/// A builder is a list of operators; see ``RequestBuilder/operators`` and ``RequestBuilder/history()``.
public struct RequestOperator: Sendable {
    /// The operator's name as a caller spells it, such as "addingHeader".
    public var name: String { content.name }

    /// The part of the request that the operator changes.
    public var subject: RequestSubject { content.subject }

    /// Whether the operator replaces the part, adds to it or removes it.
    public var effect: Effect { content.effect }

    /// A short form of the new value; nil if the operator removes the part.
    public var value: String? { content.value }

    /// The source of the operator; see ``RequestBuilder/withOrigin(_:_:)``.
    public var origin: Origin? { content.origin }

    /// The relation between the body and the Content-Type, if the operator sets one of them.
    package var bodyTie: BodyTie { content.bodyTie }

    var step: Step { content.step }

    var deferred: DeferredOperators? {
        if case .deferred(let deferred) = step { deferred } else { nil }
    }

    /// The parts that the operator changes as they are written, if their values are known only when the request is made.
    package var written: [(subject: RequestSubject, text: String)] {
        deferred?.parts.map { ($0.subject, $0.written()) } ?? []
    }

    /// The values of the operator. All builders that have this operator share them, because lists of operators are copied often;
    /// see the content of ``Origin``.
    private let content: Content

    init(
        name: String, subject: RequestSubject, effect: Effect, value: String?, origin: Origin?, bodyTie: BodyTie,
        step: Step
    ) {
        content = Content(
            name: name, subject: subject, effect: effect, value: value, origin: origin, bodyTie: bodyTie, step: step)
    }

    /// The effect of an operator on the previous value.
    public enum Effect: String, Sendable {
        /// Replaces the previous value.
        case sets
        /// Keeps the previous value and adds to it.
        case adds
        /// Removes the previous value.
        case removes
    }

    /// The relation between a Content-Type and the body.
    package enum BodyTie: Sendable {
        /// The Content-Type is sent with or without a body.
        case none
        /// The Content-Type is implied by the kind of body, and is removed with the body.
        case implied
        /// The Content-Type is kept when the body changes, but is sent only with a body.
        case required
        /// The Content-Type applies only if no earlier operator set or removed one.
        case fallback
        /// The new body keeps the Content-Type of earlier operators.
        case kept
    }

    /// The change itself. URL changes all run before request changes, each kind in the order of the operators.
    enum Step: Sendable {
        case url(@Sendable (inout URLDraft) throws -> Void)
        case request(@Sendable (inout RequestDraft) throws -> Void)
        /// Changes nothing, but records the environment. The operators after this one apply the environment's values.
        indirect case environment(RequestEnvironment)
        /// Changes nothing, but names a value that deferred operators read.
        case value(String, @Sendable (RequestValues) throws -> JSONLiteral)
        /// Changes nothing, but names a value that deferred operators read, and that a closure makes asynchronously.
        case awaitedValue(String, @Sendable () async throws -> String)
        /// Stands for operators that are made when the request is made.
        case deferred(DeferredOperators)
    }
}

extension RequestOperator {
    private final class Content: Sendable {
        let name: String
        let subject: RequestSubject
        let effect: Effect
        let value: String?
        let origin: Origin?
        let bodyTie: BodyTie
        let step: Step

        init(
            name: String, subject: RequestSubject, effect: Effect, value: String?, origin: Origin?, bodyTie: BodyTie,
            step: Step
        ) {
            self.name = name
            self.subject = subject
            self.effect = effect
            self.value = value
            self.origin = origin
            self.bodyTie = bodyTie
            self.step = step
        }
    }
}

extension RequestOperator: DescribedAlone {
    /// The subject and the effect on one line. The ``value`` is left out for headers, queries and bodies, because it
    /// may be a secret.
    public var description: String {
        let shown =
            switch subject {
            case .header, .queryItem, .body, .query: value == nil ? "" : " …"
            default: value.map { " \($0)" } ?? ""
            }
        let change = "\(subject) \(effect.rawValue)\(shown)"
        return origin.map { "\(change) (\($0))" } ?? change
    }
}

/// A part of a request that operators change.
public enum RequestSubject: Sendable {
    /// The request method.
    case method
    /// The URL's scheme.
    case scheme
    /// The URL's host.
    case host
    /// The URL's port.
    case port
    /// The path that relative paths are added to.
    case basePath
    /// The path, or the part of it below the base path.
    case path
    /// The whole query. Replacing or removing it removes all its items.
    case query
    /// All query items of one name.
    case queryItem(String)
    /// All header fields of one name, without regard to case.
    case header(String)
    /// The body.
    case body
    /// A field of ``TransferSettings``, by its name in files.
    case setting(String)
    /// Any other part, in words.
    case other(String)
}

extension RequestSubject: Hashable {
    /// Two subjects are equal if setting one replaces the other: header names are compared without regard to case.
    public static func == (left: RequestSubject, right: RequestSubject) -> Bool {
        guard left.kind == right.kind else { return false }
        return switch (left, right) {
        case (.queryItem(let name), .queryItem(let other)), (.setting(let name), .setting(let other)),
            (.other(let name), .other(let other)):
            // Bytes are compared, not characters: two spellings of "é" are different names when sent.
            name.utf8.elementsEqual(other.utf8)
        case (.header(let name), .header(let other)): name.isSameHeader(as: other)
        default: true
        }
    }

    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .queryItem(let name), .setting(let name), .other(let name):
            var name = name
            name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .header(let name):
            for byte in name.utf8 { hasher.combine(byte.lowercased) }
        default: break
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
        case .query: 6
        case .queryItem: 7
        case .header: 8
        case .body: 9
        case .setting: 10
        case .other: 11
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
        case .query: "query"
        case .queryItem(let name): "query \(name)"
        case .header(let name): "header \(name)"
        case .body: "body"
        case .setting(let name): name
        case .other(let text): text
        }
    }
}
