"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const answers = require("./answers");
const { register } = require("./providers");
const { Server } = require("./server");

/** Folders of a workspace whose JSON files hold definitions; stubs, schemas and snapshots are data of others. */
const definitionFolders = ["endpoints", "environments", "scenarios", "loads"];
const [runCommand, copyCommand] = ["reqcli.run", "reqcli.copy"];
/** A server that ends more often than this within three minutes isn't started again. */
const mostStarts = 5;

/** The root of the workspace around a file: the nearest folder upwards with `endpoints/`. */
function rootOf(file) {
  let folder = path.dirname(file);
  for (;;) {
    if (fs.existsSync(path.join(folder, "endpoints"))) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function holdsDefinitions(document) {
  if (document.uri.scheme !== "file" || !/\.jsonc?$/.test(document.uri.fsPath)) return false;
  const root = rootOf(document.uri.fsPath);
  if (!root) return false;
  const inside = path.relative(root, document.uri.fsPath).split(path.sep);
  return inside.length === 1 ? inside[0] === "reqcli.json" : definitionFolders.includes(inside[0]);
}

/** The server, started when the first file of a workspace is opened, and what the editor knows from it. */
class Client {
  constructor(output) {
    this.output = output;
    this.problems = vscode.languages.createDiagnosticCollection("reqcli");
    this.registered = [];
    this.starts = [];
  }

  get isRunning() { return this.server !== undefined; }

  start() {
    const program = vscode.workspace.getConfiguration("reqcli").get("path") || "reqcli";
    const server = new Server(program, {
      notified: (method, params) => {
        if (method === "textDocument/publishDiagnostics") {
          this.problems.set(vscode.Uri.parse(params.uri), params.diagnostics.map(answers.diagnostic));
        }
      },
      logged: (text) => this.output.append(text),
      ended: (reason) => this.ended(server, reason, program),
    });
    this.server = server;
    this.documents = new Set();
    this.starts.push(Date.now());
    this.ready = this.initialize(server);
    this.ready.catch(() => {}); // `ended` says it.
  }

  async initialize(server) {
    const { capabilities } = await server.request("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        textDocument: { hover: { contentFormat: ["markdown"] } },
        workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["rename"] } },
      },
      // Without these there are no lenses: nothing is run in Restricted Mode.
      initializationOptions: { commands: vscode.workspace.isTrusted ? [runCommand, copyCommand] : [] },
    });
    if (this.server !== server) return; // It was stopped in the meantime.
    server.notify("initialized", {});
    this.registered = register((...question) => this.ask(...question), capabilities, rootOf);
    for (const document of vscode.workspace.textDocuments) this.opened(document);
  }

  /** A result of the server; null if it has none, for example because the text has changed since. `tells` hands the reason on. */
  async ask(method, params, token, tells = false) {
    try {
      return await this.server?.request(method, params, token) ?? null;
    } catch (error) {
      if (tells) throw error;
      return null;
    }
  }

  async stop() {
    const server = this.server;
    this.forget();
    await server?.stop();
  }

  forget() {
    this.server = undefined;
    this.problems.clear();
    for (const registered of this.registered.splice(0)) registered.dispose();
  }

  ended(server, reason, program) {
    if (this.server !== server) return; // It was stopped on purpose.
    this.forget();
    this.output.appendLine(reason.message);
    const since = Date.now() - 3 * 60 * 1000;
    this.starts = this.starts.filter((time) => time > since);
    if (reason.code !== "ENOENT" && this.starts.length < mostStarts) return this.start();
    const found = reason.code === "ENOENT" ? `the program "${program}" was not found` : reason.message;
    const settings = "Open the setting";
    vscode.window.showErrorMessage(`reqcli: ${found}. Install reqcli, or name it in the setting reqcli.path.`, settings).then((choice) => {
      if (choice === settings) vscode.commands.executeCommand("workbench.action.openSettings", "reqcli.path");
    });
  }

  // Documents

  /** Gives a file of a workspace the language reqcli, so that the editor's own JSON support doesn't report it as well. */
  noticed(document) {
    if (document.languageId === "reqcli") {
      if (this.isRunning) this.ready.then(() => this.opened(document), () => {});
      else this.start();
    } else if (/^jsonc?$/.test(document.languageId) && holdsDefinitions(document)) {
      vscode.languages.setTextDocumentLanguage(document, "reqcli");
    }
  }

  opened(document) {
    if (document.languageId !== "reqcli" || document.uri.scheme !== "file" || document.isClosed) return;
    if (!this.isRunning || this.documents.has(document)) return;
    this.documents.add(document);
    this.server.notify("textDocument/didOpen", {
      textDocument: { uri: document.uri.toString(), languageId: "reqcli", version: document.version, text: document.getText() },
    });
  }

  changed({ document, contentChanges }) {
    if (!this.isRunning || !this.documents.has(document) || contentChanges.length === 0) return;
    this.server.notify("textDocument/didChange", {
      textDocument: { uri: document.uri.toString(), version: document.version },
      contentChanges: contentChanges.map(({ range, text }) => ({ range: answers.toRange(range), text })),
    });
  }

  closed(document) {
    if (!this.isRunning || !this.documents.delete(document)) return;
    this.server.notify("textDocument/didClose", { textDocument: { uri: document.uri.toString() } });
  }
}

/** Runs a command line that the server has written, in a terminal at the root of its workspace, with the files as they are shown. */
async function run(line, root, uri) {
  if (!vscode.workspace.isTrusted) return;
  const unsaved = vscode.workspace.textDocuments.filter((document) => document.languageId === "reqcli" && document.isDirty);
  for (const document of unsaved) await document.save();
  const settings = vscode.workspace.getConfiguration("reqcli", uri);
  const program = settings.get("path") || "reqcli";
  const environment = settings.get("environment");
  const quoted = /^[\w./-]+$/.test(program) ? program : `'${program.replaceAll("'", `'\\''`)}'`;
  const execution = new vscode.ShellExecution(line.replace(/^reqcli/, () => quoted), {
    cwd: root, env: environment ? { REQCLI_ENV: environment } : {},
  });
  const task = new vscode.Task({ type: "shell" }, vscode.workspace.getWorkspaceFolder(uri) ?? vscode.TaskScope.Workspace, line, "reqcli", execution);
  task.presentationOptions = { focus: true, clear: false, showReuseMessage: false };
  await vscode.tasks.executeTask(task);
}

let client;

function activate(context) {
  const output = vscode.window.createOutputChannel("reqcli");
  client = new Client(output);
  const restart = async () => {
    await client.stop();
    client.starts = [];
    if (vscode.workspace.textDocuments.some((document) => document.languageId === "reqcli")) client.start();
  };
  context.subscriptions.push(
    output, client.problems,
    vscode.workspace.onDidOpenTextDocument((document) => client.noticed(document)),
    vscode.workspace.onDidChangeTextDocument((change) => client.changed(change)),
    vscode.workspace.onDidCloseTextDocument((document) => client.closed(document)),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("reqcli.path") && restart()),
    vscode.commands.registerCommand("reqcli.restart", restart),
    vscode.commands.registerCommand(copyCommand, (text) => vscode.env.clipboard.writeText(text)),
    vscode.commands.registerCommand(runCommand, run));
  for (const document of vscode.workspace.textDocuments) client.noticed(document);
}

module.exports = { activate, deactivate: () => client?.stop() };
