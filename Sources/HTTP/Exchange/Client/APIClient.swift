public import Foundation
import ReqcliBasics
public import RequestBuilding

/// Sends an API's requests and decodes its responses.
///
/// ```swift
/// let client = APIClient(
///     baseURL: URL(string: "https://api.example.com")!,
///     middlewares: [LoggingMiddleware { print($0) }, AuthorizationMiddleware(token: token)])
/// let todo: Todo = try await client.value(of: .get("todos/1"))
/// ```
///
/// A request says which app sends it: its header `User-Agent` is the name of the process, unless the client's base or the request
/// sets or removes this header.
///
/// Requests go through the middlewares in order, then to the transport, which the client asks again for each redirect. A client is a
/// value: there is no shared client, and changing a copy leaves the original unchanged.
public struct APIClient: Sendable {
    /// The part of all requests that comes before their own operators.
    public let base: RequestBuilder
    /// Sends the requests.
    public let transport: any Transport
    /// The steps before the transport, in order.
    public let middlewares: [any Middleware]
    /// Follows redirects for requests whose settings allow it.
    public let redirects: RedirectMiddleware
    /// The transfer settings of requests, unless a request has its own.
    public let transfer: TransferSettings

    /// Decodes responses. A `JSONDecoder` without its own strategy for dates also reads dates in RFC 3339.
    public let decoder: any ResponseDecoder

    /// A client whose requests start from a base, which may come from an environment: `RequestBuilder().environment(.staging)`.
    ///
    /// - Parameters:
    ///   - base: The part of all requests that comes before their own operators.
    ///   - transport: Sends the requests.
    ///   - middlewares: The steps before the transport, in order.
    ///   - redirects: Follows redirects.
    ///   - transfer: The settings of requests unless they have their own: limits, redirects, retries, TLS.
    ///   - decoder: Decodes responses.
    public init(
        base: RequestBuilder, transport: any Transport = URLSessionTransport(), middlewares: [any Middleware] = [],
        redirects: RedirectMiddleware = RedirectMiddleware(), transfer: TransferSettings = TransferSettings(),
        decoder: any ResponseDecoder = JSONDecoder()
    ) {
        self.base = base
        self.transport = transport
        self.middlewares = middlewares
        self.redirects = redirects
        self.transfer = transfer
        self.decoder = decoder
    }

    /// A client for a base URL.
    public init(
        baseURL: URL, transport: any Transport = URLSessionTransport(), middlewares: [any Middleware] = [],
        transfer: TransferSettings = TransferSettings(), decoder: any ResponseDecoder = JSONDecoder()
    ) {
        self.init(
            base: RequestBuilder().baseURL(baseURL), transport: transport, middlewares: middlewares,
            transfer: transfer, decoder: decoder)
    }

    /// This client with another transport, such as stubs.
    public func with(transport: any Transport) -> APIClient {
        APIClient(
            base: base, transport: transport, middlewares: middlewares, redirects: redirects,
            transfer: transfer, decoder: decoder)
    }
}

// MARK: - Sending

extension APIClient {
    /// Sends a finished request and returns the response, whatever its status.
    public func send(_ request: PreparedRequest) async throws -> Response {
        let builtIn: [any Middleware] = [redirects, DecodingMiddleware(onlyIfSet: true)]
        let transport: any Transport = request.signer == nil ? transport : MiddlewareTransport(signingBefore: transport)
        return try await MiddlewareTransport(middlewares + builtIn, before: transport).send(request)
    }

    /// Makes a request from the client's base and a builder, and sends the request.
    public func send(_ builder: RequestBuilder) async throws -> Response {
        try await send(try await prepared(builder))
    }

    /// The request that a builder makes on the base of this client.
    func prepared(_ builder: RequestBuilder) async throws -> PreparedRequest {
        try await Self.identity.appending(base).appending(builder).awaitingValues().prepared(over: transfer)
    }

    /// Says which app sends a request.
    private static let identity: RequestBuilder = {
        let name = ProcessInfo.processInfo.processName.utf8.map { $0.isTokenByte ? $0 : UInt8(ascii: "-") }
        return name.isEmpty
            ? RequestBuilder() : RequestBuilder().header("User-Agent", String(decoding: name, as: UTF8.self))
    }()

    /// Sends a request and decodes its response; throws ``RequestFailed`` if the status is not 2xx.
    public func value<Value: Decodable>(of builder: RequestBuilder, as type: Value.Type = Value.self) async throws
        -> Value
    {
        let (head, body) = try await success(of: builder)
        return try decoded(body, head: head)
    }

    /// Sends a request and decodes its response; nil if the body is empty and the status is 404 or 2xx. With `ignoring404Body`,
    /// the result is nil for every 404, even if its body explains the error.
    public func valueIfPresent<Value: Decodable>(
        of builder: RequestBuilder, as type: Value.Type = Value.self, ignoring404Body: Bool = false
    ) async throws -> Value? {
        do {
            let (head, body) = try await success(of: builder)
            return body.isEmpty ? nil : try decoded(body, head: head)
        } catch let failure as RequestFailed where failure.status == 404 && (ignoring404Body || failure.body.isEmpty) {
            return nil
        }
    }

    /// Sends a request and returns the bytes of its response; throws ``RequestFailed`` if the status is not 2xx.
    public func data(of builder: RequestBuilder) async throws -> Data {
        try await success(of: builder).body
    }

    private func success(of builder: RequestBuilder) async throws -> (head: ResponseHead, body: Data) {
        let response = try await send(builder)
        let body = try await response.body.data()
        guard response.isSuccess else { throw RequestFailed(head: response.head, body: body) }
        return (response.head, body)
    }

    private func decoded<Value: Decodable>(_ body: Data, head: ResponseHead) throws -> Value {
        do {
            let reader: any ResponseDecoder = (decoder as? JSONDecoder)?.readingDates ?? decoder
            return try reader.decode(Value.self, from: body)
        } catch {
            throw ResponseNotDecoded(type: "\(Value.self)", head: head, body: body, underlying: error)
        }
    }
}

extension APIClient {
    /// Sends a request and passes the decoded response, or the error, to a callback.
    ///
    /// For callers that are not asynchronous. Cancelling the returned task cancels the request.
    @discardableResult
    public func value<Value: Decodable & Sendable>(
        of builder: RequestBuilder, as type: Value.Type = Value.self,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Task<Void, Never> {
        Task {
            do {
                completion(.success(try await value(of: builder)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}
