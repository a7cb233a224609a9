"""An OAuth 2 server made of Authlib, in memory, and an API that only its tokens open. It counts what it is asked for.

Its refresh tokens rotate: each can be used once. `life` is the number of seconds for which a token is valid.
"""
import os, threading, time, urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # for http on this machine

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.jose import jwt
from authlib.oauth2 import rfc6749, rfc7009, rfc7636, rfc8628, rfc9207
from authlib.oauth2.rfc6749 import grants
from flask import Flask, Response, jsonify, request
from werkzeug.serving import make_server

lock = threading.RLock()
counts, tokens, codes, devices = {}, {}, {}, {}
settings = {"life": 3600}


def count(what):
    with lock: counts[what] = counts.get(what, 0) + 1


class Client(rfc6749.ClientMixin):
    def __init__(self, id, secret, *grant_types): self.id, self.secret, self.grant_types = id, secret, grant_types
    def get_client_id(self): return self.id
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return scope or ""
    # RFC 8252, 7.3: any port of this machine.
    def check_redirect_uri(self, uri): return urllib.parse.urlsplit(uri).hostname in ("127.0.0.1", "localhost")
    def check_client_secret(self, secret): return self.secret is not None and self.secret == secret
    def check_endpoint_auth_method(self, method, endpoint):
        return (method == "none") if self.secret is None else method in ("client_secret_basic", "client_secret_post")
    def check_response_type(self, response_type): return response_type == "code"
    def check_grant_type(self, grant_type): return grant_type in self.grant_types


DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
clients = {client.id: client for client in (
    Client("machine", "s:ecret +1ä", "client_credentials"),
    Client("app", None, "authorization_code", "refresh_token"),
    Client("tv", None, DEVICE, "refresh_token"))}


class User:
    def __init__(self, name): self.name = name
    def get_user_id(self): return self.name


class Token(rfc6749.TokenMixin):
    def __init__(self, client, user, token):
        self.client, self.user, self.token = client, user, token
        self.end, self.revoked, self.is_used = time.time() + token["expires_in"], False, False
    def check_client(self, client): return self.client is client
    def get_scope(self): return self.token.get("scope", "")
    def get_expires_in(self): return self.token["expires_in"]
    def is_expired(self): return time.time() > self.end
    def is_revoked(self): return self.revoked
    def get_user(self): return self.user
    def get_client(self): return self.client


class Code(rfc6749.AuthorizationCodeMixin):
    def __init__(self, request):
        self.client, self.user, self.scope = request.client, request.user, request.scope
        self.redirect_uri = request.payload.redirect_uri
        self.code_challenge = request.payload.data.get("code_challenge")
        self.code_challenge_method = request.payload.data.get("code_challenge_method")
    def get_redirect_uri(self): return self.redirect_uri
    def get_scope(self): return self.scope


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]
    def save_authorization_code(self, code, request): codes[code] = Code(request)
    def query_authorization_code(self, code, client): return codes.get(code)
    def delete_authorization_code(self, code):
        for key in [key for key, each in codes.items() if each is code]: del codes[key]
    def authenticate_user(self, code): return code.user


class RefreshGrant(grants.RefreshTokenGrant):
    INCLUDE_NEW_REFRESH_TOKEN = True
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]
    def authenticate_refresh_token(self, text):
        count("refresh")
        with lock:
            token = next((each for each in tokens.values() if each.token.get("refresh_token") == text), None)
            if token is None or token.revoked or token.is_used:
                count("reused")
                return None
            token.is_used = True
            return token
    def authenticate_user(self, token): return token.user
    def revoke_old_credential(self, token): pass


class DeviceEndpoint(rfc8628.DeviceAuthorizationEndpoint):
    INTERVAL = 1
    def get_verification_uri(self): return request.host_url + "device"
    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = rfc8628.DeviceCredentialDict(
            client_id=client_id, scope=scope, expires_at=time.time() + 60, answers=[], **data)


class DeviceGrant(rfc8628.DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    def query_device_credential(self, code):
        count("poll")
        return devices.get(code)
    def query_user_grant(self, user_code): return settings.get("device", {}).get(user_code)
    def should_slow_down(self, credential):
        now, last = time.time(), credential.get("last", 0)
        credential["last"] = now
        return now - last < 1


class Revocation(rfc7009.RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]
    def query_token(self, text, hint):
        return next((each for each in tokens.values() if text in (each.token["access_token"], each.token.get("refresh_token"))), None)
    def revoke_token(self, token, request):
        count("revoked")
        token.revoked = True


class Issuer(rfc9207.IssuerParameter):
    def get_issuer(self): return settings.get("iss", request.host_url.rstrip("/"))


def save(token, request):
    count(request.payload.grant_type)
    tokens[token["access_token"]] = Token(request.client, request.user, token)


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {}
server = AuthorizationServer(app, query_client=clients.get, save_token=save)
generate = server.generate_token


def generating(grant_type, client, user=None, scope=None, expires_in=None, include_refresh_token=True):
    token = generate(
        grant_type=grant_type, client=client, user=user, scope=scope, expires_in=settings["life"], include_refresh_token=include_refresh_token)
    if user and "openid" in (scope or ""):
        token["id_token"] = jwt.encode({"alg": "HS256"}, {"sub": user.name, "email": user.name + "@example.com"}, "k" * 32).decode()
    return token


server.generate_token = generating
server.register_grant(grants.ClientCredentialsGrant)
grants.ClientCredentialsGrant.TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]
server.register_grant(CodeGrant, [rfc7636.CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
server.register_extension(Issuer())


@app.get("/.well-known/openid-configuration")
def metadata():
    base = request.host_url.rstrip("/")
    return jsonify({
        "issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
        "revocation_endpoint": base + "/revoke", "device_authorization_endpoint": base + "/device-code",
        "userinfo_endpoint": base + "/userinfo", "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    } | settings.get("metadata", {}))


FORM = """<!doctype html><title>Log in</title><form method="post"><input name="user" value="ada">
<button name="answer" value="yes">Log in and allow</button><button name="answer" value="no">Refuse</button></form>"""


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    if request.method == "GET":
        server.get_consent_grant(end_user=User("ada"))
        return FORM
    user = User(request.form["user"]) if request.form["answer"] == "yes" else None
    return server.create_authorization_response(grant_user=user)


@app.post("/token")
def token():
    count("token")
    # An answer of `settings["answers"]` comes in the place of a token.
    with lock: answer = settings["answers"].pop(0) if settings.get("answers") else None
    if answer is not None:
        status, headers, body = answer
        return Response(body, status=status, headers=headers)
    return server.create_token_response()


@app.post("/device-code")
def device_code(): return server.create_endpoint_response("device_authorization")


@app.post("/revoke")
def revoke(): return server.create_endpoint_response("revocation")


def bearer():
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    token = tokens.get(text)
    return token if kind == "Bearer" and token and not token.revoked and not token.is_expired() else None


@app.get("/userinfo")
def userinfo(): return jsonify({"sub": token.user.name}) if (token := bearer()) else Response(status=401)


@app.get("/api")
def api():
    count("api")
    if token := bearer(): return jsonify({"client": token.client.id, "user": token.user.name if token.user else None})
    return Response(status=401)


def start():
    """Starts the server on a free port, and returns its URL."""
    import logging
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    http = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{http.server_port}"


if __name__ == "__main__":
    print(start(), flush=True)
    threading.Event().wait()
