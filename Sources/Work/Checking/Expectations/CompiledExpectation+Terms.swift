import Calling
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension CompiledExpectation {
    /// What the expectation asks of the call.
    var terms: CallTerms {
        var terms = CallTerms(events: events.map { EventProgress($0) }, longest: maxTime?.value)
        if let openAPI {
            terms.rule = { (request) throws(Failure) in
                try openAPI.verify(
                    request.method, url: request.request.url.absoluteString, redactor: request.redactor)
            }
        }
        return terms
    }
}
