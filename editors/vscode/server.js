"use strict";

const { spawn } = require("node:child_process");

/** A running `reqcli lsp`, and the messages to and from it. */
class Server {
  /**
   * @param program the path or name of the program
   * @param handlers `notified(method, params)`, `logged(text)`, and `ended(reason)`, which is called once, also after `stop`
   */
  constructor(program, handlers) {
    this.handlers = handlers;
    this.unanswered = new Map();
    this.lastID = 0;
    this.input = Buffer.alloc(0);
    this.process = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "pipe"] });
    this.process.stdout.on("data", (bytes) => this.receive(bytes));
    this.process.stderr.on("data", (bytes) => handlers.logged(String(bytes)));
    this.process.stdin.on("error", () => {}); // The process has ended: "exit" follows.
    this.process.on("error", (error) => this.end(error));
    this.process.on("exit", (status, signal) => this.end(new Error(`reqcli lsp has ended (${signal ?? status})`)));
  }

  end(reason) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const { reject } of this.unanswered.values()) reject(reason);
    this.unanswered.clear();
    this.handlers.ended(reason);
  }

  /** @param token a cancellation token of the editor, or nothing */
  request(method, params, token) {
    if (this.hasEnded) return Promise.reject(new Error("reqcli lsp doesn't run"));
    const id = ++this.lastID;
    const cancellation = token?.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    return new Promise((resolve, reject) => {
      this.unanswered.set(id, { resolve, reject });
      this.send({ id, method, params });
    }).finally(() => cancellation?.dispose());
  }

  notify(method, params) { this.send({ method, params }); }

  /** Asks the server to end; ends it after two seconds if it doesn't. */
  async stop() {
    const patience = setTimeout(() => this.process.kill(), 2000);
    const exited = new Promise((resolve) => (this.hasEnded ? resolve() : this.process.once("exit", resolve)));
    await this.request("shutdown").catch(() => {});
    this.notify("exit");
    this.process.stdin.end();
    await exited;
    clearTimeout(patience);
  }

  send(message) {
    if (this.hasEnded) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  receive(bytes) {
    this.input = Buffer.concat([this.input, bytes]);
    for (;;) {
      const headEnd = this.input.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      const length = /content-length: *(\d+)/i.exec(this.input.toString("latin1", 0, headEnd));
      if (!length) return this.process.kill(); // No frame of the protocol: the program isn't a language server.
      const end = headEnd + 4 + Number(length[1]);
      if (this.input.length < end) return;
      const message = JSON.parse(this.input.toString("utf8", headEnd + 4, end));
      this.input = this.input.subarray(end);
      this.take(message);
    }
  }

  take(message) {
    if (message.method) {
      if (message.id === undefined) this.handlers.notified(message.method, message.params);
      else this.send({ id: message.id, error: { code: -32601, message: `the editor has no method "${message.method}"` } });
      return;
    }
    const asked = this.unanswered.get(message.id);
    if (!asked) return;
    this.unanswered.delete(message.id);
    if (message.error) asked.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else asked.resolve(message.result);
  }
}

module.exports = { Server };
