import Foundation
import Glibc
package import ReqcliAssembly
import ReqcliDefinitions
import RequestBuilding

extension World {
    /// The real files, variables and clock of this process. It has no permissions yet.
    package static let live = World(
        files: .live, fileSize: RequestBody.size(ofFile:),
        variable: { name in getenv(name).map { String(cString: $0) } },
        standardInput: { () throws(FileProblem) in try StandardInput.all() },
        pipedInput: StandardInput.piped(within:),
        spooledInput: { limit throws(FileProblem) in try StandardInput.spooled(above: limit) },
        run: { ProgramRunner.run($0, in: $1, timeout: $2) }, uuid: { UUID().uuidString.lowercased() },
        randomInt: { Int.random(in: 0...999_999_999) }, clock: .live)
}
