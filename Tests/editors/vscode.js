#!/usr/bin/env node
// Runs the client of editors/vscode with the program and a stand-in for the editor: opens, edits and closes files of a workspace, and asks
// for what a person asks for. The stand-in has only what the client uses, and checks what the editor would check.
// usage: node Tests/editors/vscode.js PROGRAM WORKSPACE
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");
const { pathToFileURL, fileURLToPath } = require("node:url");

const [program, workspace] = process.argv.slice(2).map((word) => path.resolve(word));
const extension = path.resolve(__dirname, "../../editors/vscode");
const manifest = JSON.parse(fs.readFileSync(path.join(extension, "package.json")));

// MARK: The stand-in

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(line, character, endLine, endCharacter) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}
class Uri {
  constructor(text) { this.text = text; this.scheme = text.split(":")[0]; }
  static parse(text) { return new Uri(text.startsWith("file:") ? String(pathToFileURL(fileURLToPath(text))) : text); }
  static file(name) { return new Uri(String(pathToFileURL(name))); }
  get fsPath() { return fileURLToPath(this.text); }
  toString() { return this.text; }
}
class Emitter {
  constructor() { this.listeners = []; this.event = (listener) => (this.listeners.push(listener), { dispose() {} }); }
  fire(value) { for (const listener of [...this.listeners]) listener(value); }
}
const fields = (...names) => class { constructor(...values) { names.forEach((name, index) => (this[name] = values[index])); } };
class WorkspaceEdit {
  constructor() { this.changes = new Map(); }
  set(uri, edits) { this.changes.set(String(uri), edits); }
}
class MarkdownString {
  constructor(value = "") { this.value = value; }
  appendText(text) { this.value += text; return this; }
}

const opens = new Emitter(), changes = new Emitter(), closes = new Emitter(), trusts = new Emitter(), settingsChange = new Emitter();
const documents = [], shown = [], tasks = [], copied = [], commands = {}, providers = {};
let settings = {}, logged = "";
const provider = (kind) => (...words) => {
  const found = words.find((word) => Object.values(word).some((value) => typeof value === "function"));
  (providers[kind] ??= new Set()).add(found);
  return { dispose: () => providers[kind].delete(found) };
};

class Document {
  constructor(name, text, languageId) {
    Object.assign(this, { uri: Uri.file(name), text, languageId, version: 1, isDirty: false, isClosed: false });
  }
  getText() { return this.text; }
  offset({ line, character }) {
    return this.text.split("\n").slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  }
  position(offset) {
    const lines = this.text.slice(0, offset).split("\n");
    return new Position(lines.length - 1, lines.at(-1).length);
  }
  /** Replaces the first place of a text, as typing would. */
  type(old, text) {
    const offset = this.text.indexOf(old);
    assert(offset >= 0, `"${old}" isn't in ${this.uri}`);
    const [start, end] = [this.position(offset), this.position(offset + old.length)];
    this.text = this.text.replace(old, () => text);
    this.version += 1;
    this.isDirty = true;
    const range = new Range(start.line, start.character, end.line, end.character);
    changes.fire({ document: this, contentChanges: [{ range, rangeOffset: offset, rangeLength: old.length, text }] });
  }
  async save() { fs.writeFileSync(this.uri.fsPath, this.text); this.isDirty = false; return true; }
}

const collection = new Map();
let timesCleared = 0;
const vscode = {
  Position, Range, Uri, WorkspaceEdit, MarkdownString,
  Location: fields("uri", "range"), TextEdit: fields("range", "newText"), Diagnostic: fields("range", "message", "severity"),
  DiagnosticRelatedInformation: fields("location", "message"), CompletionItem: fields("label", "kind"),
  CompletionList: fields("items", "isIncomplete"), Hover: fields("contents", "range"), CodeAction: fields("title", "kind"),
  CodeLens: fields("range", "command"), DocumentLink: fields("range", "target"), SemanticTokens: fields("data"),
  SemanticTokensLegend: fields("tokenTypes", "tokenModifiers"), SymbolInformation: fields("name", "kind", "container", "location"),
  DocumentSymbol: fields("name", "detail", "kind", "range", "selectionRange"), Task: fields("definition", "scope", "name", "source", "execution"),
  ShellExecution: fields("line", "options"), CodeActionKind: { QuickFix: "quickfix" }, TaskScope: { Workspace: 2 },
  languages: {
    createDiagnosticCollection: () => ({
      set: (uri, problems) => collection.set(String(uri), problems), dispose() {},
      clear: () => {
        timesCleared += 1;
        collection.clear();
      },
    }),
    setTextDocumentLanguage(document, language) {
      assert(manifest.contributes.languages.some(({ id }) => id === language));
      closes.fire(document);
      document.languageId = language;
      opens.fire(document);
    },
    ...Object.fromEntries(["CompletionItem", "Hover", "Definition", "Reference", "Rename", "DocumentFormattingEdit", "DocumentLink",
      "DocumentSymbol", "WorkspaceSymbol", "CodeLens", "DocumentSemanticTokens"].map((kind) => [`register${kind}Provider`, provider(kind)])),
    registerCodeActionsProvider: provider("CodeAction"),
  },
  workspace: {
    textDocuments: documents, isTrusted: true, getWorkspaceFolder: () => undefined,
    getConfiguration: (section) => ({
      get: (name) => {
        const declared = manifest.contributes.configuration.properties[`${section}.${name}`];
        assert(declared, `the manifest declares no setting ${section}.${name}`);
        return settings[`${section}.${name}`] ?? declared.default;
      },
    }),
    onDidOpenTextDocument: opens.event, onDidChangeTextDocument: changes.event, onDidCloseTextDocument: closes.event,
    onDidGrantWorkspaceTrust: trusts.event, onDidChangeConfiguration: settingsChange.event,
  },
  window: {
    createOutputChannel: () => ({ append: (text) => (logged += text), appendLine: (text) => (logged += `${text}\n`), dispose() {} }),
    showErrorMessage: async (text) => void shown.push(text),
  },
  env: { clipboard: { writeText: async (text) => void copied.push(text) } },
  commands: { registerCommand: (name, run) => ((commands[name] = run), { dispose() {} }), executeCommand: async () => {} },
  tasks: { executeTask: async (task) => void tasks.push(task) },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

// MARK: What a person does

function open(name, text, language = "json") {
  const document = new Document(path.join(workspace, name), text ?? fs.readFileSync(path.join(workspace, name), "utf8"), language);
  documents.push(document);
  opens.fire(document);
  return document;
}

function close(document) {
  document.isClosed = true;
  documents.splice(documents.indexOf(document), 1);
  closes.fire(document);
}

async function until(what, holds) {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(20)) if (await holds()) return;
  assert.fail(`${what}; log: ${logged}; shown: ${shown}`);
}

const token = { onCancellationRequested: () => ({ dispose() {} }) };
const ask = (kind, method, ...words) => [...providers[kind]][0][method](...words, token);
const problems = (document) => (collection.get(String(document.uri)) ?? []).map((problem) => problem.code);
const at = (document, text, inside = 0) => document.position(document.text.indexOf(text) + inside);

async function test(name, body) {
  try {
    await body();
    console.log(`ok - ${name}`);
  } catch (error) {
    console.log(`not ok - ${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

async function main() {
  const client = require(path.join(extension, manifest.main));
  settings = { "reqcli.path": program };
  const text = '{\n  "path": "/fixed/{{name}}",\n  "params": { "name": { "type": "string" } },\n  "methd": "GET"\n}\n';
  const name = "endpoints/written.json";
  fs.writeFileSync(path.join(workspace, name), text);
  const context = { subscriptions: [] };
  client.activate(context);
  let document;

  await test("a file of a workspace gets the language, another one doesn't", async () => {
    const data = open("stubs/data.json", "{}");
    const outside = new Document("/tmp/package.json", "{}", "json");
    opens.fire(outside);
    document = open(name);
    assert.deepStrictEqual([data.languageId, outside.languageId, document.languageId], ["json", "json", "reqcli"]);
  });
  await test("problems are shown, with their place", async () => {
    await until("no problem", () => problems(document).includes("key.unknown"));
    const problem = collection.get(String(document.uri))[0];
    assert.deepStrictEqual([problem.range.start.line, problem.severity, problem.source], [3, 0, "reqcli"]);
  });
  await test("a fix is offered for it", async () => {
    const [action] = await ask("CodeAction", "provideCodeActions", document, collection.get(String(document.uri))[0].range, {});
    assert.strictEqual(action.title, 'Replace with "method"');
    const [[uri, [edit]]] = action.edit.changes;
    assert.deepStrictEqual([uri, edit.newText], [String(document.uri), "method"]);
  });
  await test("problems go away while typing", async () => {
    document.type("methd", "method");
    await until("the problem stays", () => problems(document).length === 0);
  });
  await test("text with characters beyond UTF-16's first plane", async () => {
    document.type('"/fixed/', '"/fixed/😀é/');
    document.type("{{name}}", "{{nam}}");
    await until("no problem", () => problems(document).includes("value.unresolved"));
    const found = collection.get(String(document.uri)).find((problem) => problem.code === "value.unresolved");
    assert.deepStrictEqual(document.offset(found.range.start), document.text.indexOf("{{nam}}"));
    document.type("{{nam}}", "{{name}}");
    document.type("😀é/", "");
    await until("a problem stays", () => problems(document).length === 0);
  });
  await test("completion, hover, definition, references", async () => {
    const place = at(document, "{{name", 3);
    const list = await ask("CompletionItem", "provideCompletionItems", document, place);
    assert(list.items.some((item) => item.label === "name" && item.range.start.line === 1), "no param");
    const hover = await ask("Hover", "provideHover", document, place);
    assert.match(hover.contents.value, /string/);
    const [definition] = await ask("Definition", "provideDefinition", document, place);
    assert.strictEqual(definition.range.start.line, 2);
    assert.strictEqual((await ask("Reference", "provideReferences", document, place, { includeDeclaration: true })).length, 2);
  });
  await test("rename, and a name that is refused", async () => {
    const place = at(document, "{{name", 3);
    assert.strictEqual((await ask("Rename", "prepareRename", document, place)).placeholder, "name");
    const edit = await ask("Rename", "provideRenameEdits", document, place, "label");
    assert.strictEqual(edit.changes.get(String(document.uri)).length, 2);
    await assert.rejects(ask("Rename", "provideRenameEdits", document, place, "no name"), /can't be a name/);
  });
  await test("formatting, symbols, links, tokens", async () => {
    document.type('"path": ', '"path":');
    const edits = await ask("DocumentFormattingEdit", "provideDocumentFormattingEdits", document, { tabSize: 2, insertSpaces: true });
    assert(edits.length > 0);
    document.type('"path":', '"path": ');
    assert((await ask("DocumentSymbol", "provideDocumentSymbols", document)).some((symbol) => symbol.name === "params"));
    assert((await [...providers.WorkspaceSymbol][0].provideWorkspaceSymbols("written", token)).length > 0);
    assert.strictEqual((await ask("DocumentSemanticTokens", "provideDocumentSemanticTokens", document)).data.length % 5, 0);
    assert(Array.isArray(await ask("DocumentLink", "provideDocumentLinks", document)));
  });
  await test("a lens runs its command line at the root, in the chosen environment, after the files are saved", async () => {
    const lenses = await ask("CodeLens", "provideCodeLenses", document);
    assert.deepStrictEqual(lenses.map((lens) => lens.command?.title), ["Send", "Check", "Explain", undefined]);
    settings["reqcli.environment"] = "staging";
    document.isDirty = true;
    await commands[lenses[0].command.command](...lenses[0].command.arguments);
    const { execution } = tasks.pop();
    assert(execution.line.startsWith(`${program} send written`), execution.line);
    assert.deepStrictEqual(execution.options, { cwd: workspace, env: { REQCLI_ENV: "staging" } });
    assert.strictEqual(document.isDirty, false);
  });
  await test("a lens copies the request as a curl command, which is made when the lens is shown", async () => {
    const lens = (await ask("CodeLens", "provideCodeLenses", document)).at(-1);
    const { command } = await [...providers.CodeLens][0].resolveCodeLens(lens, token);
    assert.strictEqual(command.title, "Copy as curl");
    await commands[command.command](...command.arguments);
    assert.match(copied.pop(), /^curl .*\/\{?/);
  });
  await test("a server that ends is started again, with the files as they are shown", async () => {
    document.type('"method"', '"methd"');
    await until("no problem", () => problems(document).includes("key.unknown"));
    const [pid] = fs.readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
    const before = timesCleared;
    process.kill(Number(pid), "SIGKILL");
    await until("the problem wasn't forgotten", () => timesCleared > before);
    await until("no new server", () => problems(document).includes("key.unknown"));
    document.type('"methd"', '"method"');
    await until("the problem stays", () => problems(document).length === 0);
    for (const kind of Object.keys(providers)) assert.strictEqual(providers[kind].size, 1, `${kind} is registered twice`);
  });
  await test("Restricted Mode has no lenses and runs nothing; with trust there are lenses", async () => {
    vscode.workspace.isTrusted = false;
    await commands["reqcli.restart"]();
    await until("no server", () => providers.Hover.size === 1);
    assert.strictEqual(providers.CodeLens.size, 0);
    await commands["reqcli.run"]("reqcli list", workspace, document.uri);
    assert.strictEqual(tasks.length, 0);
    vscode.workspace.isTrusted = true;
    trusts.fire();
    await until("no lenses after trust", () => providers.CodeLens.size === 1);
  });
  await test("a file that is closed and opened again", async () => {
    close(document);
    document = open(name);
    assert.strictEqual(document.languageId, "reqcli");
    document.type('"method"', '"methd"');
    await until("no problem", () => problems(document).includes("key.unknown"));
  });
  await test("a program that isn't there, and one that is no server", async () => {
    settings["reqcli.path"] = "/nowhere/reqcli";
    settingsChange.fire({ affectsConfiguration: (key) => key === "reqcli.path" });
    await until("nothing is said", () => shown.some((text) => text.includes('"/nowhere/reqcli" was not found')));
    shown.length = 0;
    settings["reqcli.path"] = "/bin/false";
    await commands["reqcli.restart"]();
    await until("nothing is said", () => shown.length > 0);
    assert.match(shown[0], /has ended \(1\)/);
  });
  await test("no process stays", async () => {
    settings["reqcli.path"] = program;
    await commands["reqcli.restart"]();
    await until("no server", () => providers.Hover.size === 1);
    await client.deactivate();
    assert.strictEqual(fs.readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim(), "");
  });
}

main();
