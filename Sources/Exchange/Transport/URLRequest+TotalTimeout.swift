import Foundation
import RequestBuilding

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// The time for the whole exchange, if the request says any: in its ``Timeouts``, or as its `timeoutInterval`.
    var totalTimeout: Duration? {
        get {
            if let timeouts = self[option: Timeouts.self] { return timeouts.total }
            return timeLimit
        }
        set {
            guard self[option: Timeouts.self] == nil else {
                self[option: Timeouts.self]?.total = newValue
                return
            }
            timeoutInterval = newValue?.seconds ?? 60
        }
    }

    /// Its `timeoutInterval`: 60 is what a request has that nobody has said anything about, and counts as nothing said.
    var timeLimit: Duration? {
        timeoutInterval != 60 && timeoutInterval > 0 ? .seconds(min(timeoutInterval, 1e9)) : nil
    }
}
