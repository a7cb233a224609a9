import Foundation
import HTTPWire
import ReqcliServing
import RequestBuilding

extension PreparedRequest {
    /// The request as it came; nil if its method is none that a client of ours would send.
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
