import Foundation
import HTTPWire
import ReqcliServing
import RequestBuilding

extension PreparedRequest {
    /// Makes a request from a request that a server has received; nil if reqcli could not send a request with this method.
    init?(_ request: ServerRequest) {
        let head = request.head
        guard let method = try? HTTPMethod(head.method) else { return nil }
        let target = head.target.path + (head.target.query.map { "?\($0)" } ?? "")
        let authority = head.authority ?? "localhost"
        guard let url = URL(string: "http://\(authority)\(target.hasPrefix("/") ? "" : "/")\(target)") else {
            return nil
        }
        self.init(
            url: url, method: method,
            headers: HeaderFields(head.fields.map { HeaderFields.Field($0.name, $0.value) }),
            body: request.body.isEmpty ? nil : .data(Data(request.body)))
    }
}
