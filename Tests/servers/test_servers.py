"""What the program does with servers that others have written. Run by run.sh, which says what is missing."""

import gzip
import hashlib
import os
import time
import unittest

from servers import Servers
from tool import peak, send

servers = None


def setUpModule():
    global servers
    servers = Servers()


def tearDownModule():
    servers.stop()


class ToolTests(unittest.TestCase):
    def check(self, run, status=0, errors=""):
        """Exit code and stderr: nothing but the note on an empty body or a refusal, or one line more that holds the given text."""
        self.assertEqual(run.status, status, run)
        lines = [line for line in run.errors.splitlines() if not line.startswith("note: the server responded ")]
        if not errors:
            self.assertRegex("".join(lines), r"\A(note: \d{3}[A-Za-z ]*, no body(; --follow \(-L\) follows the redirect)?)?\Z", run)
        else:
            self.assertIn(errors, run.errors)
            self.assertEqual(len(lines), 1, run)
        return run


class Nginx(ToolTests):
    def base(self, host="127.0.0.1"):
        return f"http://{host}:{servers.http}"

    def test_http1(self):
        run = self.check(send(self.base(), "/hello.txt", "-i"))
        self.assertTrue(run.text.startswith("HTTP/1.1 200 OK\nServer: nginx"), run)
        self.assertTrue(run.text.endswith("\n\nhello\n"), run)

    def test_missing(self):
        self.assertIn("404 Not Found", self.check(send(self.base(), "/nothing"), 4).text)

    def test_head(self):
        run = self.check(send(self.base(), {"path": "/big.bin", "method": "HEAD"}, "-i"))
        self.assertIn(f"Content-Length: {40 << 20}\n", run.text)

    def test_range(self):
        run = self.check(send(self.base(), "/hello.txt", "-H", "Range: bytes=1-2"))
        self.assertEqual(run.text, "el")

    def test_compressed_bytes_are_passed_on(self):
        run = self.check(send(self.base(), "/hello.txt", "-H", "Accept-Encoding: gzip"))
        self.assertEqual(gzip.decompress(run.output), b"hello\n")

    def test_download(self):
        run = self.check(send(self.base(), "/big.bin", "-o", "out"))
        self.assertEqual(list(run.files), ["out"])
        self.assertEqual(digest(run.files["out"]), digest(big()))

    def test_upload(self):
        body = os.urandom(1 << 20) * 30
        endpoint = {"path": "/put/one.bin", "method": "PUT", "body": {"file": "body"}}
        self.check(send(self.base(), endpoint, files={"body": body}))
        self.assertEqual(digest((servers.folder / "www/put/one.bin").read_bytes()), digest(body))

    def test_ipv6_literal(self):
        run = self.check(send(self.base("[::1]"), "/via"))
        self.assertEqual(run.text, f"via= host=[::1]:{servers.http}")

    def test_unix_socket(self):
        run = self.check(send("http://anywhere.invalid:8080", "/via", "--unix-socket", servers.path("socket")))
        self.assertEqual(run.text, "via= host=anywhere.invalid:8080")
        self.check(send(self.base(), "/", "--unix-socket", servers.path("none")), 6,
                   "/none doesn't exist: check its path")

    def test_given_address(self):
        base = f"http://anywhere.invalid:{servers.http}"
        for address in ["127.0.0.1", "[::1]"]:
            flag = f"anywhere.invalid:{servers.http}:{address}"
            with self.subTest(address=address):
                self.assertEqual(self.check(send(base, "/hello.txt", "--resolve", flag)).text, "hello\n")
        self.check(send(base, "/hello.txt"), 6, "can't find the host anywhere.invalid")


class Memory(ToolTests):
    """It doesn't grow with what is sent or received."""

    SIZE = 1 << 30
    LIMIT = 48

    def base(self):
        return f"http://127.0.0.1:{servers.http}"

    def setUp(self):
        with open(servers.folder / "www/huge.bin", "wb") as file:
            file.truncate(self.SIZE)

    def test_to_a_file(self):
        self.assertLess(peak(self.base(), "/huge.bin", "-o", "out"), self.LIMIT)

    def test_to_a_slow_reader(self):
        count = 0

        def read(stream):
            nonlocal count
            while chunk := stream.read1(1 << 16):
                count += len(chunk)
                if count < 32 << 20:
                    time.sleep(0.001)

        self.assertLess(peak(self.base(), "/huge.bin", read=read), self.LIMIT)
        self.assertEqual(count, self.SIZE)

    def test_from_a_file(self):
        def prepare(root):
            with open(root / "body", "wb") as file:
                file.truncate(self.SIZE)

        endpoint = {"path": "/put/huge.bin", "method": "PUT", "body": {"file": "body"}}
        self.assertLess(peak(self.base(), endpoint, prepare=prepare), self.LIMIT)
        self.assertEqual((servers.folder / "www/put/huge.bin").stat().st_size, self.SIZE)

    def test_lists_of_integers(self):
        """JSON is read whole; that takes a small multiple of its size, however short the values are."""
        size = 100 << 20
        for name, item in [("digits", "7"), ("numbers", "1234567")]:
            with open(servers.folder / f"www/{name}.json", "w") as file:
                file.write("[" + ",".join([item] * (size // (len(item) + 1))) + "]")
            endpoint = {"path": f"/{name}.json", "headers": {"Accept-Encoding": "identity"},
                        "expect": {"json": {"$[0]": int(item), "$[-1]": {"type": "integer"}}}}
            for command, flags in [("check", []), ("send", ["--select", "$[0]"])]:
                with self.subTest(name=name, command=command):
                    self.assertLess(peak(self.base(), endpoint, *flags, command=command), 6 * size / (1 << 20))


class TLSTests(ToolTests):
    def base(self, name="tls"):
        return f"https://localhost:{servers.ports[name]}"

    def trusting(self, name="tls", path="/hello.txt", *flags, **more):
        return send(self.base(name), path, "--ca", servers.path("ca.pem"), *flags, **more)


class TLS(TLSTests):
    def test_http2(self):
        run = self.check(self.trusting("tls", "/protocol", "-i"))
        self.assertTrue(run.text.startswith("HTTP/2 200\n"), run)
        self.assertTrue(run.text.endswith("HTTP/2.0 TLSv1.3"), run)

    def test_http2_download(self):
        run = self.check(self.trusting("tls", "/big.bin", "-o", "out"))
        self.assertEqual(digest(run.files["out"]), digest(big()))

    def test_http2_upload(self):
        body = os.urandom(1 << 20) * 10
        endpoint = {"path": "/put/two.bin", "method": "PUT", "body": {"file": "body"}}
        self.check(self.trusting("tls", endpoint, files={"body": body}))
        self.assertEqual(digest((servers.folder / "www/put/two.bin").read_bytes()), digest(body))

    def test_authority_from_the_environment_file(self):
        run = send(self.base(), "/hello.txt", environment={"tls": {"ca": "ca.pem"}},
                   files={"ca.pem": (servers.folder / "ca.pem").read_bytes()})
        self.assertEqual(self.check(run).text, "hello\n")

    def test_redirect_from_http(self):
        run = send(f"http://127.0.0.1:{servers.http}", "/to-tls", "--follow", "--ca", servers.path("ca.pem"))
        self.assertEqual(self.check(run).text, "hello\n")

    def test_configuration_of_openssl(self):
        # The machine's own rules for TLS hold, also where a request in plain HTTP came first.
        rules = servers.write("openssl.cnf", "openssl_conf = all\n[all]\nssl_conf = tls\n[tls]\nsystem_default = rules\n"
                              "[rules]\nCiphersuites = TLS_AES_128_GCM_SHA256\n")
        for base, path in [(self.base(), "/cipher"), (f"http://127.0.0.1:{servers.http}", "/to-cipher")]:
            for variables, cipher in [({}, "TLS_AES_256_GCM_SHA384"), ({"OPENSSL_CONF": rules}, "TLS_AES_128_GCM_SHA256")]:
                run = send(base, path, "--follow", "--ca", servers.path("ca.pem"), variables=variables)
                self.assertEqual(self.check(run).text, cipher)

    def test_given_address(self):
        # The certificate has to be right for the name in the URL, whatever address that is reached at.
        for name, status in [("localhost", 0), ("other.example", 6)]:
            run = send(f"https://{name}:{servers.tls}", "/hello.txt", "--ca", servers.path("ca.pem"),
                       "--resolve", f"{name}:{servers.tls}:127.0.0.1")
            self.check(run, status, "is for another name" if status else "")

    def test_unknown_authority(self):
        run = self.check(send(self.base(), "/hello.txt", "-o", "out"), 6, "--ca")
        self.assertEqual(run.files, {})

    def test_expired(self):
        self.check(self.trusting("expired"), 6, f"the certificate of localhost:{servers.expired} has expired")

    def test_wrong_host(self):
        self.check(self.trusting("other"), 6, "is for another name: check the host in the URL")

    def test_self_signed(self):
        self.check(send(self.base("selfsigned"), "/"), 6, "is signed by itself or by an unknown root")

    def test_old_version(self):
        self.check(self.trusting("old"), 6, "can't agree on TLS")

    def test_newer_version_wanted(self):
        run = self.trusting("tls", "/protocol", environment={"tls": {"minVersion": "1.3"}})
        self.assertEqual(self.check(run).text, "HTTP/2.0 TLSv1.3")

    def test_insecure_warns_each_time(self):
        for name in ["expired", "other", "selfsigned"]:
            run = send(self.base(name), "/nothing", "--insecure")
            self.check(run, 4, "warning: the server's certificate is not checked")

    def test_plain_http_to_a_tls_port(self):
        run = self.check(send(f"http://localhost:{servers.tls}", "/"), 4)
        self.assertIn("plain HTTP request was sent to HTTPS port", run.text)

    def test_tls_to_a_plain_port(self):
        self.check(send(f"https://localhost:{servers.http}", "/"), 6, "can't agree on TLS")

    def test_unreadable_authority(self):
        self.check(send(self.base(), "/", "--ca", "/nowhere.pem"), 2, "there is no file")
        run = send(self.base(), "/", "--ca", servers.path("nginx.conf"))
        self.check(run, 6, "the trusted certificates can't be read")


class ClientCertificate(TLSTests):
    def person(self, *flags, **more):
        return self.trusting("client", "/", *flags, **more)

    def test_none(self):
        self.assertIn("No required SSL certificate was sent", self.check(self.person(), 4).text)

    def test_flags(self):
        run = self.person("--cert", servers.path("person.pem"), "--key", servers.path("person.key"))
        self.assertEqual(self.check(run).text, "hello CN=person")

    def test_one_file(self):
        both = (servers.folder / "person.pem").read_bytes() + (servers.folder / "person.key").read_bytes()
        run = self.person(environment={"tls": {"cert": "me.pem", "ca": "ca.pem"}}, files={
            "me.pem": both, "ca.pem": (servers.folder / "ca.pem").read_bytes()})
        self.assertEqual(self.check(run).text, "hello CN=person")

    def test_wrong_key(self):
        run = self.person("--cert", servers.path("person.pem"), "--key", servers.path("good.key"))
        self.check(run, 6, "the client certificate for localhost")

    def test_no_file(self):
        self.check(self.person("--cert", "/nowhere.pem"), 2, "there is no file")

    def test_no_certificate(self):
        self.check(self.person("--cert", servers.path("nginx.conf")), 6, "the client certificate for localhost")


class Httpbin(ToolTests):
    def send(self, endpoint, *flags, **more):
        return send(f"http://127.0.0.1:{servers.httpbin}", endpoint, *flags, **more)

    def test_status_codes(self):
        for code, status in [(200, 0), (204, 0), (304, 0), (400, 4), (404, 4), (418, 4), (429, 4), (500, 5), (503, 5)]:
            with self.subTest(code=code):
                self.check(self.send(f"/status/{code}"), status)

    def test_expected_status(self):
        self.check(self.send({"path": "/status/404", "expect": {"status": 404}}))

    def test_redirects(self):
        for path in ["/redirect/3", "/relative-redirect/3", "/absolute-redirect/3"]:
            with self.subTest(path=path):
                self.assertTrue(self.check(self.send(path, "--follow")).json["url"].endswith("/get"))
                self.check(self.send(path, "--no-follow"))

    def test_too_many_redirects(self):
        endpoint = {"path": "/redirect/5", "redirects": {"follow": True, "max": 3}}
        self.check(self.send(endpoint), 6, "redirects too many times (limit 3)")

    def test_redirect_keeps_the_body(self):
        endpoint = {"path": "/redirect-to", "method": "POST", "query": {"url": "/anything", "status_code": "307"},
                    "body": {"json": {"kept": True}}, "redirects": {"follow": True}}
        answer = self.check(self.send(endpoint)).json
        self.assertEqual((answer["method"], answer["json"]), ("POST", {"kept": True}))

    def test_compressed(self):
        for path, key in [("/gzip", "gzipped"), ("/deflate", "deflated"), ("/brotli", "brotli")]:
            with self.subTest(path=path):
                self.assertIs(self.check(self.send(path)).json[key], True)
        self.assertIn(b'"gzipped"', gzip.decompress(self.check(self.send("/gzip", "--raw")).output))

    def test_delay(self):
        self.check(self.send("/delay/1"))
        start = time.monotonic()
        self.check(self.send("/delay/8", "--timeout", "1"), 7, "took too long (limit 1 s)")
        self.assertLess(time.monotonic() - start, 6)

    def test_first_byte(self):
        endpoint = {"path": "/delay/8", "timeout": {"firstByte": "500ms"}}
        self.check(self.send(endpoint), 7, "didn't begin to respond in time (limit 0.5 s)")

    def test_basic(self):
        auth = {"auth": {"basic": {"user": "ada", "password": "{{secret.pw}}"}}, "secrets": {"pw": {"env": "PW"}}}
        for password, status in [("right", 0), ("wrong", 4)]:
            run = self.send("/basic-auth/ada/right", environment=auth, variables={"PW": password})
            self.check(run, status)
        self.check(self.send("/basic-auth/ada/right"), 4)

    def test_digest(self):
        auth = {"auth": {"digest": {"user": "ada", "password": "{{secret.pw}}"}}, "secrets": {"pw": {"env": "PW"}}}
        for quality in ["auth", "auth-int"]:
            for algorithm in ["MD5", "SHA-256"]:
                path = f"/digest-auth/{quality}/ada/right/{algorithm}"
                with self.subTest(path=path):
                    run = self.send(path, environment=auth, variables={"PW": "right"})
                    self.assertTrue(self.check(run).json["authenticated"])
                    self.check(self.send(path, environment=auth, variables={"PW": "wrong"}), 4)

    def test_bearer(self):
        run = self.send("/bearer", environment={"auth": {"bearer": "token"}})
        self.assertEqual(self.check(run).json["token"], "token")

    def test_drip(self):
        run = self.check(self.send("/drip", "-q", "duration=1", "-q", "numbytes=5", "-q", "delay=0"))
        self.assertEqual(run.text, "*****")
        slow = ["-q", "duration=8", "-q", "numbytes=8", "-q", "delay=0"]
        run = self.check(self.send("/drip", *slow, "--timeout", "1500ms", "-o", "out"), 7, "limit 1.5 s")
        self.assertEqual(run.files, {})

    def test_streams(self):
        self.assertEqual(len(self.check(self.send("/stream/20")).text.splitlines()), 20)
        self.assertEqual(len(self.check(self.send("/stream-bytes/100000")).output), 100_000)

    def test_anything(self):
        endpoint = {
            "path": "/anything/{{segment}}", "method": "PATCH", "query": {"q": "{{q}}", "tag": ["a", "b"]},
            "params": {"segment": {"type": "string"}, "q": {"type": "string"}},
            "headers": {"X-Name": "Grüße"}, "body": {"json": {"q": "{{q}}"}}}
        awkward = "a b&c=d/é?#%+"
        answer = self.check(self.send(endpoint, params=[f"segment={awkward}", f"q={awkward}"])).json
        self.assertEqual(answer["args"], {"q": awkward, "tag": ["a", "b"]})
        self.assertEqual((answer["method"], answer["json"]), ("PATCH", {"q": awkward}))
        self.assertTrue(answer["headers"]["User-Agent"].startswith("reqcli/"))

    def test_form(self):
        endpoint = {"path": "/post", "method": "POST", "body": {"form": {"a": "1 & 2", "b": ["é", "+"]}}}
        self.assertEqual(self.check(self.send(endpoint)).json["form"], {"a": "1 & 2", "b": ["é", "+"]})

    def test_multipart(self):
        parts = {"note": "read me", "upload": {"file": "notes.txt", "filename": "n.txt", "contentType": "text/plain"}}
        endpoint = {"path": "/post", "method": "POST", "body": {"multipart": parts}}
        answer = self.check(self.send(endpoint, files={"notes.txt": b"some notes"})).json
        self.assertEqual((answer["form"], answer["files"]), ({"note": "read me"}, {"upload": "some notes"}))

    def test_no_cookies_by_default(self):
        run = self.check(self.send("/cookies/set/name/value", "--follow"))
        self.assertEqual(run.json, {"cookies": {}})

    def test_cookie_jar(self):
        flags = ["--follow", "--cookie-jar", "jar"]
        run = self.check(self.send("/cookies/set/name/value", *flags))
        self.assertEqual(run.json, {"cookies": {"name": "value"}})
        jar = {"jar": run.files["jar"]}
        self.assertEqual(self.check(self.send("/cookies", *flags, files=jar)).json, {"cookies": {"name": "value"}})
        gone = {"path": "/cookies/delete", "query": {"name": ""}}
        self.assertEqual(self.check(self.send(gone, *flags, files=jar)).json, {"cookies": {}})

    def test_netrc(self):
        files = {"accounts": b"machine 127.0.0.1 login ada password right\n"}
        flags = ["--netrc-file", "accounts"]
        for user, status in [("ada", 0), ("grace", 4)]:
            self.check(self.send(f"/basic-auth/{user}/right", *flags, files=files), status)
        self.check(self.send({"path": "/basic-auth/ada/right", "auth": {"basic": {"user": "ada", "password": "wrong"}}},
                             *flags, files=files), 4)

    def test_needs(self):
        more = {"endpoints/first.json": b'{"path": "/uuid", "capture": {"id": {"json": "$.uuid"}}}'}
        endpoint = {"path": "/anything/{{first.id}}", "needs": {"first": "first"}}
        answer = self.check(self.send(endpoint, files=more)).json
        self.assertRegex(answer["url"], "/anything/[0-9a-f-]{36}$")

    def test_binary(self):
        self.assertTrue(self.check(self.send("/image/png")).output.startswith(b"\x89PNG"))

    def test_download_name(self):
        header = {"Content-Disposition": 'attachment; filename="../../report.json"'}
        run = self.check(self.send({"path": "/response-headers", "query": header}, "--download"),
                         0, "note: writing report.json")
        self.assertEqual(list(run.files), ["report.json"])

    def test_select_and_json(self):
        self.assertEqual(self.check(self.send("/json", "--select", "$.slideshow.slides[*].type")).text, "all\nall\n")
        self.check(self.send("/json", "--select", "$.nothing"), 1, "finds nothing")
        answer = self.check(self.send("/json", "--json")).json
        self.assertEqual(answer["response"]["body"]["json"]["slideshow"]["author"], "Yours Truly")
        self.check(self.send("/html", "--select", "$"), 1, "--select needs JSON")


class Proxy(ToolTests):
    def setUp(self):
        self.proxy = f"http://127.0.0.1:{servers.proxy}"
        self.locked = f"127.0.0.1:{servers.locked_proxy}"

    def send(self, variables, base=None, path="/via", *flags):
        return send(base or f"http://127.0.0.1:{servers.http}", path, *flags, variables=variables)

    def test_forward(self):
        for name in ["http_proxy", "all_proxy", "ALL_PROXY"]:
            with self.subTest(name=name):
                self.assertIn("via=1.1 tinyproxy", self.check(self.send({name: self.proxy})).text)

    def test_not_used(self):
        for variables in [{}, {"http_proxy": self.proxy, "no_proxy": "127.0.0.1"},
                          {"http_proxy": self.proxy, "NO_PROXY": "*"}, {"HTTP_PROXY": self.proxy},
                          {"https_proxy": self.proxy}]:
            with self.subTest(variables=variables):
                self.assertIn("via= ", self.check(self.send(variables)).text)

    def test_connect(self):
        run = self.send({"https_proxy": self.proxy}, f"https://localhost:{servers.tls}", "/protocol", "-i",
                        "--ca", servers.path("ca.pem"))
        self.assertTrue(self.check(run).text.startswith("HTTP/2 200\n"), run)
        log = (servers.folder / f"tinyproxy-{servers.proxy}.log").read_text()
        self.assertIn(f"CONNECT localhost:{servers.tls}", log)

    def test_connect_refused(self):
        run = self.send({"https_proxy": self.proxy}, f"https://localhost:{servers.expired}", "/")
        self.check(run, 6, f"127.0.0.1:{servers.proxy} didn't connect (it responded with 403)")

    def test_password(self):
        self.assertIn("via=1.1 tinyproxy", self.check(self.send({"http_proxy": f"http://user:sesame7@{self.locked}"})).text)
        self.check(self.send({"http_proxy": f"http://{self.locked}"}), 4)

    def test_password_for_connect(self):
        for account, status in [("user:sesame7@", 0), ("user:wrong@", 6)]:
            run = self.send({"https_proxy": f"http://{account}{self.locked}"}, f"https://localhost:{servers.tls}",
                            "/hello.txt", "--ca", servers.path("ca.pem"))
            # It should be 407; this proxy says 401.
            self.check(run, status, "it responded with 40" if status else "")

    def named(self, account="", **more):
        """A proxy as a file names it; the password is a secret."""
        user, _, password = account.partition(":")
        proxy = {"url": f"http://{self.locked}" if account else self.proxy} | more
        if account:
            proxy.update(user=user, password="{{$env.PROXY_PASSWORD}}")
        return proxy, {"PROXY_PASSWORD": password}

    def test_flag(self):
        run = self.check(self.send({"http_proxy": "http://127.0.0.1:1"}, None, "/via", "--proxy", self.proxy))
        self.assertIn("via=1.1 tinyproxy", run.text)
        self.assertIn("via= ", self.check(self.send({"http_proxy": self.proxy}, None, "/via", "--proxy", "")).text)
        for hosts in ["127.0.0.1", "127.0.0.0/8", "a,*.b,127.0.0.1", "*"]:
            with self.subTest(hosts=hosts):
                run = self.check(self.send({}, None, "/via", "-x", self.proxy, "--noproxy", hosts))
                self.assertIn("via= ", run.text)

    def test_file(self):
        for account in ["", "user:sesame7"]:
            proxy, variables = self.named(account)
            with self.subTest(proxy=proxy):
                endpoint = {"path": "/via", "proxy": proxy}
                self.assertIn("via=1.1 tinyproxy", self.check(self.send(variables, None, endpoint)).text)
                direct = {**endpoint, "noProxy": ["localhost", "127.0.0.0/8"]}
                self.assertIn("via= ", self.check(self.send(variables, None, direct)).text)

    def test_https_proxy(self):
        url = f"https://localhost:{servers.tls_proxy}"
        proxy, variables = self.named("user:sesame7", url=url)
        ca = ["--ca", servers.path("ca.pem")]
        run = self.check(self.send(variables, None, {"path": "/via", "proxy": proxy}, *ca))
        self.assertIn("via=1.1 tinyproxy", run.text)
        tunnelled = {"path": "/hello.txt", "proxy": proxy}
        run = self.check(self.send(variables, f"https://localhost:{servers.tls}", tunnelled, *ca))
        self.assertEqual(run.text, "hello\n")
        # Without its authority nobody knows whose proxy it is.
        self.check(self.send(variables, None, {"path": "/via", "proxy": proxy}), 6, "certificate")

    def test_file_connect(self):
        for account, status in [("user:sesame7", 0), ("user:s3cr3t", 6)]:
            proxy, variables = self.named(account)
            run = self.send(variables, f"https://localhost:{servers.tls}", {"path": "/hello.txt", "proxy": proxy},
                            "--ca", servers.path("ca.pem"))
            self.check(run, status, "it responded with 40" if status else "")
            self.assertNotIn("s3cr3t", run.errors)

    def test_down(self):
        run = self.check(self.send({"http_proxy": "http://user:s3cr3t@127.0.0.1:1"}), 6, "the proxy")
        self.assertNotIn("s3cr3t", run.errors)


def big():
    return (servers.folder / "www/big.bin").read_bytes()


def digest(data):
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    unittest.main(verbosity=2)
