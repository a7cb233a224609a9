"""Real servers on loopback, for one run: nginx, httpbin, tinyproxy and stunnel, with certificates of an authority of their own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NGINX = """
{user} worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 256; }}
http {{
    access_log off; sendfile on; client_max_body_size 0; default_type application/octet-stream;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    types {{ text/plain txt; application/json json; }}
    gzip on; gzip_min_length 1; gzip_types text/plain application/json;
    ssl_session_cache off; ssl_protocols TLSv1.2 TLSv1.3;

    server {{
        listen 127.0.0.1:{http}; listen [::1]:{http}; listen unix:{folder}/socket;
        location / {{ root {folder}/www; }}
        location /put/ {{ root {folder}/www; dav_methods PUT; create_full_put_path on; }}
        location = /via {{ return 200 "via=$http_via host=$http_host"; }}
        location = /to-tls {{ return 302 https://localhost:{tls}/hello.txt; }}
        location = /to-cipher {{ return 302 https://localhost:{tls}/cipher; }}
    }}
    server {{
        listen 127.0.0.1:{tls} ssl http2; server_name localhost;
        ssl_certificate {folder}/good.pem; ssl_certificate_key {folder}/good.key;
        location / {{ root {folder}/www; }}
        location /put/ {{ root {folder}/www; dav_methods PUT; create_full_put_path on; }}
        location = /protocol {{ return 200 "$server_protocol $ssl_protocol"; }}
        location = /cipher {{ return 200 "$ssl_cipher"; }}
    }}
    server {{
        listen 127.0.0.1:{client} ssl; server_name localhost;
        ssl_certificate {folder}/good.pem; ssl_certificate_key {folder}/good.key;
        ssl_client_certificate {folder}/ca.pem; ssl_verify_client on;
        location / {{ return 200 "hello $ssl_client_s_dn"; }}
    }}
    server {{
        listen 127.0.0.1:{expired} ssl;
        ssl_certificate {folder}/expired.pem; ssl_certificate_key {folder}/expired.key;
    }}
    server {{
        listen 127.0.0.1:{other} ssl;
        ssl_certificate {folder}/other.pem; ssl_certificate_key {folder}/other.key;
    }}
    server {{
        listen 127.0.0.1:{selfsigned} ssl;
        ssl_certificate {folder}/selfsigned.pem; ssl_certificate_key {folder}/selfsigned.key;
    }}
    server {{
        listen 127.0.0.1:{old} ssl;
        ssl_certificate {folder}/good.pem; ssl_certificate_key {folder}/good.key;
        ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;
    }}
}}
"""

TINYPROXY = """
Port {port}
Listen 127.0.0.1
Timeout 30
LogFile "{folder}/tinyproxy-{port}.log"
MaxClients 20
ViaProxyName "tinyproxy"
ConnectPort {tls}
"""

STUNNEL = """
foreground = yes
pid =
[proxy]
accept = 127.0.0.1:{port}
connect = 127.0.0.1:{target}
cert = {folder}/good.pem
key = {folder}/good.key
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Servers:
    """Everything that the tests talk to."""

    NAMES = "http tls client expired other selfsigned old httpbin proxy locked_proxy tls_proxy".split()

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="reqcli-servers-"))
        self.folder.chmod(0o755)
        self.ports = {name: free_port() for name in self.NAMES}
        self.processes = []
        try:
            self._make_certificates()
            self._make_files()
            self._start()
        except BaseException:
            self.stop()
            raise

    def __getattr__(self, name):
        return self.ports[name]

    def path(self, name):
        return str(self.folder / name)

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # What they serve

    def _make_files(self):
        www = self.folder / "www"
        (www / "put").mkdir(parents=True)
        (www / "hello.txt").write_text("hello\n")
        (www / "hello.json").write_text('{"b": 1.0, "a": "\\u00e9"}')
        (www / "big.bin").write_bytes(os.urandom(1 << 20) * 40)

    def _make_certificates(self):
        self._openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
                      "-keyout ca.key -out ca.pem -subj /CN=Test-Authority")
        self._openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout selfsigned.key "
                      "-out selfsigned.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost")
        self._certify("good", "localhost", 2)
        self._certify("expired", "localhost", -1)
        self._certify("other", "other.example", 2)
        self._certify("person", "person", 2)

    def _certify(self, name, host, days):
        self._openssl(f"req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {name}.key -out {name}.csr "
                      f"-subj /CN={host} -addext subjectAltName=DNS:{host}")
        self._openssl(f"x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days {days} "
                      f"-copy_extensions copyall -out {name}.pem")

    def _openssl(self, arguments):
        subprocess.run(["openssl"] + arguments.split(), cwd=self.folder, check=True, capture_output=True)

    # Starting

    def _start(self):
        user = "user root;" if os.getuid() == 0 else ""
        self.write("nginx.conf", NGINX.format(user=user, folder=self.folder, **self.ports))
        self._run(["nginx", "-e", self.path("nginx.log"), "-c", self.path("nginx.conf")])
        self._run([sys.executable, "-m", "httpbin.core", "--host", "127.0.0.1", "--port", str(self.httpbin)])
        for name, more in [("proxy", ""), ("locked_proxy", "BasicAuth user sesame7\n")]:
            port = self.ports[name]
            text = TINYPROXY.format(port=port, folder=self.folder, tls=self.tls) + more
            self.write(f"{name}.conf", text)
            self._run(["tinyproxy", "-d", "-c", self.path(f"{name}.conf")])
        # A proxy that is reached over TLS.
        text = STUNNEL.format(port=self.tls_proxy, target=self.locked_proxy, folder=self.folder)
        self._run(["stunnel", self.write("stunnel.conf", text)])
        for name, port in self.ports.items():
            self._wait_for(name, port)

    def write(self, name, text):
        """Makes a file in the folder; its path."""
        (self.folder / name).write_text(text)
        return self.path(name)

    def _run(self, command):
        with open(self.folder / "output.log", "a") as log:
            self.processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def _wait_for(self, name, port):
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > end or any(process.poll() is not None for process in self.processes):
                    logs = [path.read_text() for path in self.folder.glob("*.log")]
                    raise SystemExit(f"{name} doesn't listen on port {port}\n" + "\n".join(logs))
                time.sleep(0.05)
