import ReqcliRedaction
import Testing

@testable import Checking

@Suite struct SecretBookTests {
    private static func secret(_ value: String) -> Redactor.Secret { Redactor.Secret(label: "s", value: value) }

    @Test("A flow masks the secrets of the run and its own signatures, and the run keeps no signature")
    func signatures() {
        let run = SecretBook()
        run.add([Self.secret("first-secret")])
        let (one, other) = (run.ofFlow, run.ofFlow)
        one.add([Self.secret("later-secret")], signatures: [Self.secret("own-signature")])
        let text = "first-secret later-secret own-signature"
        #expect(one.redactor.redact(text) == "<s> <s> <s>")
        #expect(other.redactor.redact(text) == "<s> <s> own-signature")
        #expect(run.redactor.redact(text) == "<s> <s> own-signature")
        other.add([Self.secret("last-secret")])
        #expect(one.redactor.redact("last-secret own-signature") == "<s> <s>")
        let copy = run.copy
        copy.add([Self.secret("of-the-copy")])
        #expect(run.redactor.redact("of-the-copy") == "of-the-copy" && copy.redactor.redact("of-the-copy") == "<s>")
    }
}
