import RequestBuilding
import SourceText

/// A part of the request that a setting of another name put there, so that the next word on that setting takes it away.
enum Carrier: Sendable, Equatable {
    case header(String)
    case queryItem(String)
    case digest

    var subject: RequestSubject {
        switch self {
        case .header(let name): .header(name)
        case .queryItem(let name): .queryItem(name)
        case .digest: .setting(TransferSetting.digestAccount.name)
        }
    }
}

/// The parts of the request that the last `auth` and the last `cachePolicy` have set.
struct Carriers: Sendable {
    var auth: Carrier?
    var cachePolicy: Carrier?

    /// Somebody has written the part out: it is theirs now.
    mutating func release(_ subject: RequestSubject) {
        if auth?.subject == subject { auth = nil }
        if cachePolicy?.subject == subject { cachePolicy = nil }
    }
}

extension Contributions {
    /// Hands a setting over to another carrier, or to none, and takes away what the last one put on the request.
    mutating func carry(_ setting: WritableKeyPath<Carriers, Carrier?>, by next: Carrier?, at place: Place) {
        if let last = carriers[keyPath: setting], last.subject != next?.subject {
            add([removal(of: last.subject)], at: place) { builder in
                switch last {
                case .header(let name): builder.removingHeader(name)
                case .queryItem(let name): builder.removingQueryItem(name)
                case .digest: builder.removingSetting(.digestAccount)
                }
            }
        }
        carriers[keyPath: setting] = next
    }
}
