import Definitions
import RequestBuilding
import SourceText

/// The part of the request that carries what the last auth said, so that another auth can take it away.
enum AuthCarrier: Sendable, Equatable {
    case header(String)
    case queryItem(String)
    case digest

    var subject: RequestSubject {
        switch self {
        case .header(let name): .header(name)
        case .queryItem(let name): .queryItem(name)
        case .digest: .option(TransferOption.DigestAccount.name)
        }
    }
}

extension Contributions {
    mutating func addAuth(_ setting: Setting<Auth>?, carrier: inout AuthCarrier?) {
        guard let setting else { return }
        let next = setting.value.value.map(Self.carrier)
        if let old = carrier, old.subject != next?.subject { remove(old, at: setting.place) }
        carrier = next
        switch setting.value.value {
        case nil: break
        case .bearer(let token):
            addText([token], .header("Authorization"), "Bearer \(written(token))", at: setting.place) {
                $0.authorization(bearer: $1[0])
            }
        case .basic(let user, let password):
            addText(
                [user, password], .header("Authorization"), "Basic \(written(user)):\(written(password))",
                at: setting.place
            ) { $0.authorization(user: $1[0], password: $1[1]) }
        case .digest(let user, let password):
            addText(
                [user, password], .option(TransferOption.DigestAccount.name), "Digest \(written(user))",
                at: setting.place
            ) {
                $0.digest(user: $1[0], password: $1[1])
            }
        case .apiKey(.header, let name, let value):
            addText([value], .header(name.value), written(value), at: setting.place) { $0.header(name.value, $1[0]) }
        case .apiKey(.query, let name, let value):
            addText([value], .queryItem(name.value), written(value), at: setting.place) {
                $0.queryItem(name.value, $1[0])
            }
        }
    }

    private static func carrier(of auth: Auth) -> AuthCarrier {
        switch auth {
        case .bearer, .basic: .header("Authorization")
        case .digest: .digest
        case .apiKey(.header, let name, _): .header(name.value)
        case .apiKey(.query, let name, _): .queryItem(name.value)
        }
    }

    private mutating func remove(_ carrier: AuthCarrier, at place: Place) {
        add([Contribution.Part(subject: carrier.subject, effect: .removes)], at: place) { builder, _ in
            switch carrier {
            case .header(let name): builder.removingHeader(name)
            case .queryItem(let name): builder.removingQueryItem(name)
            case .digest: builder.removingDigest()
            }
        }
    }

    /// Values that auth can't do without: an absent one is an error.
    private mutating func addText(
        _ templates: [ValueTemplate], _ subject: RequestSubject, _ written: String, at place: Place,
        set: @escaping @Sendable (RequestBuilder, [String]) -> RequestBuilder
    ) {
        add([part(subject, written)], at: place) { builder, evaluation in
            var values: [String] = []
            for template in templates {
                switch evaluation.text(template) {
                case .value(let text): values.append(text)
                case .failed: continue
                case .absent:
                    evaluation.report(
                        .valueUnresolved,
                        "\(ValueText.text(of: template.source)) was not given, and auth can't do without",
                        at: template.place)
                }
            }
            return values.count == templates.count ? set(builder, values) : nil
        }
    }

    private func written(_ template: ValueTemplate) -> String { ValueText.text(of: template.source) }
}
