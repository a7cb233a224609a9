public import Foundation

/// Operators that a closure makes when the request is made. The closure reads named values, which the builder's base defines.
extension RequestBuilder {
    /// Adds a named value that ``deferred(_:_:)`` can read, such as a value that differs between environments.
    public func value(_ name: String, _ value: JSONLiteral) -> RequestBuilder {
        self.value(name) { _ in value }
    }

    /// Adds a named value that a closure makes. The closure is called when a request needs the value, at most once for each
    /// request.
    ///
    /// ```swift
    /// let base = RequestBuilder().value("token") { _ in .string(try keychain.token()) }
    /// ```
    public func value(
        _ name: String, _ make: @escaping @Sendable (RequestValues) throws -> JSONLiteral
    ) -> RequestBuilder {
        appending("value", .other("value \(name)"), value: nil, .value(name, make))
    }

    /// Adds a named value that a closure makes asynchronously, such as a token that is read from a keychain or refreshed. The
    /// closure is called only for a request that needs the value.
    ///
    /// - Parameters:
    ///   - make: Makes the value. If it is nil, only a request that needs the value fails.
    ///   - factory: The function to which the app gives the closure, for the error.
    @_spi(Generated) public func awaitedValue(
        _ name: String, _ make: (@Sendable () async throws -> String)?, of factory: String
    ) -> RequestBuilder {
        guard let make else { return value(name) { _ in throw RequestValueNotGiven(name: name, factory: factory) } }
        return appending("awaitedValue", .other("value \(name)"), value: nil, .awaitedValue(name, make))
    }

    /// Awaits the values that asynchronous closures make and that the request needs. The result can be prepared without waiting.
    /// `APIClient` does this for each request that it sends.
    ///
    /// ```swift
    /// let request = try await base.appending(call.request).awaitingValues().prepared()
    /// ```
    public func awaitingValues() async throws -> RequestBuilder {
        guard operators.contains(where: { if case .awaitedValue = $0.step { true } else { false } }) else {
            return self
        }
        var builder = self
        while true {
            let values = RequestValues(of: builder)
            _ = builder.resolved(values)
            let needed = values.needed
            if needed.isEmpty { return builder }
            for (name, make) in needed { builder = builder.value(name, .string(try await make())) }
        }
    }

    /// Appends operators that are made when the request is made.
    ///
    /// If a subject is given, the operators must change only this part of the request. The closure is not called if a later
    /// operator replaces or removes the part, so that no secret is read unnecessarily.
    ///
    /// ```swift
    /// let signed = base.deferred(.header("Authorization")) { values in
    ///     RequestBuilder().authorization(bearer: try values["token"].text)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - subject: The part of the request that the operators change; nil if they change several parts.
    ///   - make: Makes the operators. An error that it throws becomes a ``RequestBuildingError``.
    public func deferred(
        _ subject: RequestSubject? = nil, _ make: @escaping @Sendable (RequestValues) throws -> RequestBuilder
    ) -> RequestBuilder {
        deferred(subject.map { [DeferredOperators.Part($0) { "" }] } ?? [], make)
    }

    /// A builder whose operators are made when the request is made; see ``deferred(_:_:)``.
    public static func deferred(
        _ make: @escaping @Sendable (RequestValues) throws -> RequestBuilder
    ) -> RequestBuilder {
        RequestBuilder().deferred(nil, make)
    }
}

/// The named values of one request, which the closures of ``RequestBuilder/deferred(_:_:)`` read.
public final class RequestValues {
    /// An object that closures can read in addition to the named values.
    package let context: AnyObject?
    private let operators: [RequestOperator]
    private let makers: [String: @Sendable (RequestValues) throws -> JSONLiteral]
    private let awaited: [String: @Sendable () async throws -> String]
    /// The names of the values that were read, but must be awaited first.
    private var missed: Set<String> = []
    private var known: [String: JSONLiteral] = [:]
    private var inProgress: Set<String> = []

    /// - Parameters:
    ///   - builder: The builder that defines the named values.
    package init(of builder: RequestBuilder, context: AnyObject? = nil) {
        var makers: [String: @Sendable (RequestValues) throws -> JSONLiteral] = [:]
        var awaited: [String: @Sendable () async throws -> String] = [:]
        for step in builder.operators.lazy.map(\.step) {
            switch step {
            case .value(let name, let make): makers[name] = make
            case .awaitedValue(let name, let make): (makers[name], awaited[name]) = (nil, make)
            default: continue
            }
        }
        (operators, self.makers, self.awaited) = (builder.operators, makers, awaited)
        self.context = context
    }

    /// The value with this name. An unknown name is an error.
    public subscript(_ name: String) -> JSONLiteral {
        get throws {
            if let value = known[name] { return value }
            guard let make = makers[name] else {
                if awaited[name] != nil { missed.insert(name) }
                throw RequestValueMissing(name: name, isAwaited: awaited[name] != nil)
            }
            guard inProgress.insert(name).inserted else { throw RequestValueMissing(name: name, isCyclic: true) }
            defer { inProgress.remove(name) }
            let value = try make(self)
            known[name] = value
            return value
        }
    }

    /// The value with this name; nil if there is none, or if the app has given no closure for it.
    @_spi(Generated) public func optional(_ name: String) throws -> JSONLiteral? {
        if makers[name] == nil, awaited[name] == nil { return nil }
        do { return try self[name] } catch is RequestValueNotGiven { return nil }
    }

    /// The closures of the values that were read, but must be awaited first, in the order of their names.
    fileprivate var needed: [(name: String, make: @Sendable () async throws -> String)] {
        missed.sorted().compactMap { name in awaited[name].map { (name, $0) } }
    }

    /// The name of the environment: the value `$environment` of the base, or nil if there is none.
    @_spi(Generated) public var environment: String? { own("$environment") }

    /// A value of the app as JSON. Members are sorted by their names, and dates are written as RFC 3339 has them.
    @_spi(Generated) public func json(_ value: some Encodable) throws -> JSONLiteral {
        let encoder = JSONEncoder.stable
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(JSONLiteral.date(date))
        }
        return try JSONDecoder().decode(JSONLiteral.self, from: encoder.encode(value))
    }

    /// Returns a value that the request requires. If the value is nil, the error contains the given name.
    @_spi(Generated) public func required<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw RequestValueMissing(name: name) }
        return value
    }

    /// A value that must be a whole number, such as a port.
    @_spi(Generated) public func integer(_ value: JSONLiteral) throws -> Int {
        guard let number = Int(value.text) else {
            throw RequestValueRefused(value: value.text, expected: "a whole number")
        }
        return number
    }

    /// The error for a value that matches none of the cases.
    @_spi(Generated) public func noCase(for value: String?, among cases: String...) -> any Error {
        RequestValueRefused(value: value ?? "nil", expected: "one of \(cases.joined(separator: ", "))")
    }

    /// The time in placeholders, in seconds since 1970. All parts of the request get the same time.
    package private(set) lazy var time = own("$time").flatMap { Double($0) } ?? Date().timeIntervalSince1970

    /// The text of a value that the base may have.
    func own(_ name: String) -> String? { makers[name] == nil ? nil : try? self[name].text }

    /// The name of the request; see ``PreparedRequest/name``.
    var requestName: String? { operators.last { $0.subject == .name }?.value }
}

extension JSONLiteral {
    /// A time as RFC 3339 has it, in UTC.
    @_spi(Generated) public static func date(_ date: Date) -> JSONLiteral {
        .string(Timestamp.rfc3339(date.timeIntervalSince1970))
    }
}

/// The error for a value that cannot be used in its place in the request.
package struct RequestValueRefused: DescribedError, Hashable, Sendable {
    /// The value as text.
    package let value: String
    /// The values that are expected, in words.
    package let expected: String

    /// The value, and what was expected.
    public var description: String { "expected \(expected); found \(quoted(value))" }
}

/// The error for a value that no operator defines, or that depends on itself.
package struct RequestValueMissing: DescribedError, Hashable, Sendable {
    /// The name of the value.
    package let name: String
    /// Whether the value depends on itself.
    package var isCyclic = false
    /// Whether an asynchronous closure makes the value.
    package var isAwaited = false

    /// The name, and what to do.
    public var description: String {
        if isAwaited {
            return
                "the value \"\(name)\" is made asynchronously: send the request with a client, or call awaitingValues() first"
        }
        return isCyclic
            ? "the value \"\(name)\" depends on itself"
            : "there is no value \"\(name)\": make the client with an environment that has one, or add .value(\"\(name)\", …)"
    }
}

/// The error for a value whose closure the app has not given.
struct RequestValueNotGiven: DescribedError, Hashable, Sendable {
    let name: String
    let factory: String

    /// The name, and the function that takes the closure.
    public var description: String {
        let (kind, word) =
            name.hasPrefix("$env.") ? ("variable", name.dropFirst(5)) : ("secret", name.dropFirst("secret.".count))
        return "the \(kind) \"\(word)\" was not given, and this request needs it: give \(factory) a closure for it"
    }
}
