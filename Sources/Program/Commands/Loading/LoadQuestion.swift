import Calling
import Checking
import CommandLineKit
import LoadTesting
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The question before a load that goes to another machine, or that may change something.
struct LoadQuestion {
    private let plan: LoadPlan
    private let servers: LoadServers
    private let environment: EnvironmentChain
    private let isAgreed: Bool
    private let mayAsk: Bool

    init(
        _ plan: LoadPlan, _ servers: LoadServers, _ environment: EnvironmentChain, isAgreed: Bool, _ mayAsk: Bool
    ) {
        (self.plan, self.servers, self.environment) = (plan, servers, environment)
        (self.isAgreed, self.mayAsk) = (isAgreed, mayAsk)
    }

    /// Asks, if that is needed. Returns whether the user has agreed to this load; throws if it may not be sent.
    func ask(_ context: Context) throws(Failure) -> Bool {
        let permission = LoadPermission(
            of: plan, isLocal: servers.areLocal, mayChange: servers.methods.contains { !HTTPMethod.isSafe($0) },
            limit: environment.policy?.load)
        switch permission {
        case .allowed: return false
        case .refused(let reason, let hint): throw Failure(.refusedByPolicy, code: .policyRefused, reason, hint: hint)
        case .asks: break
        }
        if isAgreed { return true }
        guard mayAsk, context.terminal.canAsk else {
            throw Failure(
                .refusedByPolicy, code: .policyRefused,
                "load asks before it sends \(what) to \(place), and there is no terminal to ask at",
                hint: "pass --yes to agree")
        }
        switch context.answer("load sends \(what) to \(place): \(plan.summary).\nSend them?") {
        case .yes: return true
        case .interrupted: throw Failure(.interrupted, [])
        case .other: throw Failure(.refusedByPolicy, code: .policyRefused, "not sent")
        }
    }

    /// The methods of the requests, with their shares.
    private var methods: [(method: String, weight: Int)] {
        var methods: [(method: String, weight: Int)] = []
        for action in plan.actions {
            for method in action.endpoints.map({ $0.method(in: environment.name) }) {
                if let index = methods.firstIndex(where: { $0.method == method }) {
                    methods[index].weight += action.weight
                } else {
                    methods.append((method, action.weight))
                }
            }
        }
        return methods
    }

    /// `GET and POST`, with the number of each if it is known.
    private var what: String {
        let total = plan.actions.reduce(0) { $0 + $1.weight }
        let own = methods.map { each in
            guard let count = plan.expectedCount else { return each.method }
            let share = Int(Double(count) * Double(each.weight) / Double(total))
            return "\(methods.count > 1 ? "about " : "")\(share) \(each.method)"
        }
        let needed = servers.methods.subtracting(methods.map(\.method)).sorted()
        let logins = "for logins of \(plan.users) user\(plan.users == 1 ? "" : "s")"
        return own.joined(separator: ", ")
            + (needed.isEmpty ? "" : " and, \(logins), \(needed.joined(separator: ", "))")
    }

    private var place: String { TerminalText.harmless(servers.names.joined(separator: ", ")) }
}
