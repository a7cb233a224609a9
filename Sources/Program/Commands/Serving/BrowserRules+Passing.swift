import ReqcliAssembly
import ReqcliMocking
import StubServing

extension BrowserRules {
    /// The reason why a web page may not reach another server through this server. Nil if the page may, and nil for clients that
    /// are not browsers.
    ///
    /// Without this check, any page on the web could call that server through this one, and have its responses written to files.
    func objectionToPage(of request: IncomingRequest) -> String? {
        let origins = request.headers(named: "Origin")
        if sharing == .everybody { return nil }
        if let origin = origins.first {
            let isOwn = request.host.map { origin.lowercased() == "http://\($0)" } ?? false
            let isAllowed = origins.count == 1 && (isOwn || (sharing != .nobody && accepts(origin: origin)))
            return isAllowed
                ? nil
                : "a page of \(origin.quoted) may not reach another server through this one; --cors ORIGIN allows it"
        }
        // A browser that follows a link, or shows an image, sends no Origin.
        let sites = request.headers(named: "Sec-Fetch-Site")
        guard sites.contains(where: { $0.lowercased() == "cross-site" }) else { return nil }
        return "a page of another site may not reach another server through this one; --cors ORIGIN allows it"
    }
}
