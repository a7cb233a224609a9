import ReqcliDefinitions
import ReqcliText

extension ExportSource {
    /// Notes about environments whose credentials differ from the credentials of the requests.
    var lostCredentials: [ConversionNote] {
        let own = environment.auth?.set?.source()
        return environments.compactMap { chain in
            guard chain.name != environment.name, let auth = chain.auth, auth.set?.source() != own else {
                return nil
            }
            return ConversionNote(
                .lost, "the auth of another environment is not converted", chain.name, at: auth.place)
        }
    }
}
