import Foundation
import ReqcliBasics
import Testing

@testable import RequestBuilding

/// JSON Web Tokens, with the keys of RFC 7515 and RFC 8037.
@Suite struct JWTSignatureTests {
    private static func signature(
        _ text: String, _ algorithm: JWTSignature.Algorithm, _ key: String, _ passphrase: String? = nil
    ) throws -> String {
        let bytes = try JWTSignature.signature(of: Array(text.utf8), algorithm, key: key, passphrase: passphrase)
        return Data(bytes).base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing(
            "/", with: "_")
    }

    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test("HS256 of RFC 7515, A.1, whose key is not text")
    func hs256() throws {
        let key = try #require(
            Data(
                base64Encoded:
                    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ+EstJQLr/T+1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow=="))
        let text = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.claims)"
        let code = HashAlgorithm.sha256.code(of: Array(text.utf8), key: Array(key))
        #expect(Data(code).base64EncodedString() == "dBjftJeZ4CVP+mB92K27uhbUJU1p1r/wW1gFWFOEjXk=")
    }

    @Test("RS256 of RFC 7515, A.2, also with the line feeds of the key as a variable may have them")
    func rs256() throws {
        for key in [Self.rsa, Self.rsa.replacing("\n", with: #"\n"#)] {
            #expect(
                try Self.signature("eyJhbGciOiJSUzI1NiJ9.\(Self.claims)", .rs256, key)
                    == "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
            )
        }
    }

    @Test("EdDSA of RFC 8037, A.4")
    func edDSA() throws {
        #expect(
            try Self.signature("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc", .edDSA, Self.ed25519)
                == "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
    }

    // ECDSA signatures differ each time: Tests/signatures/tokens.py verifies them.
    @Test("ES256 with the key of RFC 7515, A.3, and an encrypted one, has 64 bytes")
    func es256() throws {
        for (key, passphrase) in [(Self.p256, nil), (Self.encrypted, "open sesame")] {
            #expect(try JWTSignature.signature(of: [1], .es256, key: key, passphrase: passphrase).count == 64)
        }
    }

    @Test("The numbers of an ECDSA signature are filled up with zeros")
    func numbers() {
        #expect(PrivateKey.numbers(inDER: [0x30, 7, 2, 2, 0, 0x80, 2, 1, 5], 2) == [0, 0x80, 0, 5])
        for broken: [UInt8] in [
            [], [0x30, 7, 2, 2, 0, 0x80, 2, 2, 5], [0x30, 6, 2, 1, 1, 2, 1, 5, 0], [0x30, 3, 2, 1, 5],
        ] {
            #expect(PrivateKey.numbers(inDER: broken, 2) == nil)
        }
    }

    @Test(
        "A key that doesn't fit is refused, and never asked for",
        arguments: [
            (
                JWTSignature.Algorithm.es256, rsa, nil,
                "ES256 needs an EC key on the curve P-256; the key is an RSA key of 2048 bits"
            ),
            (.es384, p256, nil, "ES384 needs an EC key on the curve P-384; the key is an EC key on the curve P-256"),
            (.es256, secp256k1, nil, "ES256 needs an EC key on the curve P-256; the key is an EC key on another curve"),
            (.rs256, shortRSA, nil, "RS256 needs an RSA key of at least 2048 bits; the key is an RSA key of 1024 bits"),
            (.ps256, ed25519, nil, "PS256 needs an RSA key of at least 2048 bits; the key is an Ed25519 key"),
            (.es256, encrypted, nil, "the key is encrypted, and there is no passphrase"),
            (.es256, encrypted, "wrong", "the key can't be decrypted with the passphrase"),
            (.es256, "secret", nil, "the key is not a private key in PEM, which begins with \"-----BEGIN\""),
        ] as [(JWTSignature.Algorithm, String, String?, String)])
    func refused(_ algorithm: JWTSignature.Algorithm, _ key: String, _ passphrase: String?, _ reason: String) {
        #expect {
            try JWTSignature.signature(of: [1], algorithm, key: key, passphrase: passphrase)
        } throws: {
            ($0 as? StepFailure)?.reason == reason
        }
    }

    @Test("A token begins 5 s earlier, has its own claims, and is kept for half its life")
    func token() throws {
        let signature = JWTSignature(
            .hs256, key: "kept", keyID: "1", claims: ["iss": "me", "aud": ["a"]], expires: .seconds(60))
        let first = try signature.token(at: 1000)
        #expect(
            first.shown
                == #"{"alg":"HS256","typ":"JWT","kid":"1"}.{"iss":"me","aud":["a"],"iat":995,"exp":1055}"#)
        #expect(try signature.token(at: 1029).text == first.text)
        #expect(try signature.token(at: 1030).text != first.text)
        #expect(try signature.token(at: 999).shown.hasSuffix(#""iat":994,"exp":1054}"#))
        let own = JWTSignature(.hs512, key: "kept", claims: ["exp": 7, "iat": 8])
        #expect(try own.token(at: 1000).shown == #"{"alg":"HS512","typ":"JWT"}.{"exp":7,"iat":8}"#)
        #expect(throws: StepFailure.self) { try JWTSignature(.hs256, key: "k", claims: []).token(at: 0) }
    }

    @Test("A signer sets Authorization, and tells which of its values are secret")
    func signer() throws {
        let url = try #require(URL(string: "http://h"))
        let request = PreparedRequest(url: url, headers: ["Authorization": "earlier"])
        let signed = try RequestSigner.jwt(JWTSignature(.hs256, key: "k")).signed(request, at: 1000)
        let sent = try #require(signed.request.headers["Authorization"])
        #expect(sent.hasPrefix("Bearer eyJ") && sent.split(separator: ".").count == 3)
        #expect(signed.request.headers.values("Authorization").count == 1)
        #expect(signed.secrets.map(\.name) == ["token", "signature"] && sent.hasSuffix(signed.secrets[1].value))
    }

    private static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCh+BYK4uPJtGXO
        jS1lYmM2K5J9vinh8CR3/BYlzJChNuOL2TSXxbbqY913EeZ8dCn5VrD7io8ImtxL
        aYk8wTM/U+3QGbh3hCUv7JFP5IV3aVlL6kKA0ywPVb9ilE8TA5a8bpvfbr3SvaNn
        juygxmj3AbONv/s4yDQs4v5tJ/reSlpIdJed1LnPmt7Ex1sFhSwsD174pcF1A5L5
        ROjtZMEQxrZHYJqkeDrrnGya11UxMFBji4NmXG9veoKjlnAqH2QbgtPr8jkiGUkf
        toaHLFcW9Qr4NY2ai50Xw0Byj3+H2JoY2PyrZ62EWQwuz3WTOTY8BwNNb2BvniHg
        VFbK5emhAgMBAAECggEAEq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyW
        PEAeP88vLNO97IjlA7/GQ5sLKMgvfTeXZx9SE+7YwVol2NXOoAJe46sui395IW/G
        O+pWJ1O0BkTGoVEn2bKVRUCgu+GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzj
        kn439X0M/V51gfpRLI9JYanrC4D4qAdGcopV/0ZHHzQlBjudU2QvXt4ehNYTCBr6
        XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl/x/jTj3ccPDVZFD9pIuhLhBOneufuBiB
        4cS98l2SR/RQyGWSeWjnczT0QU91p1DhOVRuOopznQKBgQDgHMQQ60imZV1URk0K
        pLttoLhyt3SmqdEf/kgHePDdtzEafpAu+cS191R2JiuoF2yzWXnwFDcqGigp5BNr
        0AHQfD8/Lk8l1Mk09jxxCfui5nYooNyac8YFjm3vItzVCVDnEd3BbVWG8qf6deqE
        lMGAg+C2V0L4oNXnP7LZcPAZRwKBgQC5A8R+CZW2MvRTLLHzwZkUXV866cff7tx6
        kqa0finGG0KgeqlaZPxgCZnFp7AeAcCMtiynVlJ7vMVgePsLq6XtON4tB5kP9jAP
        rq3rbAOal78eUH5OcED6eNuCV8ixEu1eWcPNCS/l1OW1EnXUEoEHKl54Xrrz2uNw
        kgMTP1FZ1wKBgAcCn1dwJKufzBWQxWQp1vsM5fggqPN1qGb5y0MAk3g7/Ls5bkUp
        5u9SN0Ai3Ya6hNnvWJMb7sXQX6U/zyO2M/hTip7tUeh7CXgwo59dkpN75gJLVds2
        9+DAncu3KXU4f2Fa+7bLNrur53k8KwPOq2bbuTG69QtV7Jr5MR0AHWKNAoGBAIf/
        evpitUf+4JYbLpvNXWcY052Mpz22aR84mY3nh3F2LF2mjMJDpTg7FmuyPcVw6EcG
        yoAe9fa65iNqCq+jdw6PVNGo2hxfjSiZ8IIzHdsPXI89//pMjZcQK9r+CCoRjaZj
        OYiIDktVWZzmevJuv6WywUqd57LE3Zar3dLSIkx1AoGAIYd7DHOhrWvxkwPQsRM2
        tOgrjbcrfvtQJipd+DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd/QJQ3
        ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp/gh6A56
        03k2+ZQwVK0JKSHuLFkuQ3U=
        -----END PRIVATE KEY-----
        """
    private static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----
        """
    private static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
        -----END PRIVATE KEY-----
        """
    private static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBBbWot5gWANB45DzSvh
        cFleAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQQS8uunHt5+h5Yk/i
        dojJsASBkNx/kjN8SVq0TGuCYxN0hBcf3VYI4dgCtoOhjK4ePCzx+T9NkSaMehVT
        QRkegLQGW3e5q2n/8SxIr0jXt8jgSahAIcXSvyj3oZbT5zrP3whDiPjZmUrqQwnN
        jYUIgm1MyuE/l4BNwvbOiWpdcseRYLeX6H/y+QuxHNvOdQqsCDCcMtekNqTXhAWF
        VqW/epXsrw==
        -----END ENCRYPTED PRIVATE KEY-----
        """
    private static let secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgYxHTGhlWivZtolwFYEzc
        Y1dCrlcF5ZHpdAPzh2jWSkShRANCAAQPwa7FB6cOKFWUIflfFrV+TIRf8wS9MrsJ
        WQuL0D/2WSC69v80rBHtLlv2PkAX9CZbBh8HznqoWkInZmvPDDP1
        -----END PRIVATE KEY-----
        """
    private static let shortRSA = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAOQtDegW4jf9dw9Z
        Xc4vp5Z30skO84ymw/4FNEighci5rJPVLjeCM+4n8etCZSg902vCjVs4DZCJAyrk
        28vsxceNm455Xc9mQArSJ1fqBKQnpCnDYzkIyf85L6ek8LS/Gm4SH0RLr1Ez6Ze7
        OXRx8EqkwqIRz3Qn1McVqmoJ59aZAgMBAAECgYAg0kZE0z3ZFfGRWKaAqSQvJa9B
        UpA/9CEPIgqCQ+zakbK8VRbfzy/PGxnWYGeSoUoPHx4cN/TjjIHTIrZnH/jW1PzE
        CB9aln09RukAeIXwnl7+5h92mpkYhtJuJoGVehqEbgnH5Au5e3Taqyy/SRKJlwsX
        qYE2B9IZpQX7XHc1gQJBAPkRrMaYhO/rqJbcH+rpqPsJxCb0MmPbuZK7f9sGnhq2
        GWCkXefi09BUAMeAwYr0t7ADgNVIziEfsLERY7oji5ECQQDqhop55Tv3FMNyORFy
        pKiOnqcwj2BP1PWRvB6jjNXGXUF6l40v3BcWV+o2MCxEfFtu7iUagL27iTDP+54n
        8MaJAkEAvxzH1S8Muke5+d/4Abm+9rlcsIMp8yOTNjr29SoTwO0/db9JavfKjY0X
        d/2dBLGYDM/zWDTgLdxyKLvuKNLDcQJACCM29tfPZtlflr0IL/QqrRgwMO0oqFx5
        UN84KPCgEkv2E6zih0CZxHq0c8DkKFQwT/8PZoYFD1bJTM4sRLKEEQJAVeH6nHPQ
        Q7tvkBZ4hl8MaA0bBGwisvIgwm8/whTgCGsBETx4lLdVUFgo9JYwDuLxkKV8ASUf
        a9DNFMw8UMufHg==
        -----END PRIVATE KEY-----
        """
}
