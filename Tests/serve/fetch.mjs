// What Node's fetch sees of `reqcli serve`.
//
//   node Tests/serve/fetch.mjs URL
import assert from "node:assert/strict";

const [url] = process.argv.slice(2);
const feed = `${url}/v1/user/1/feed`;
const stub = (name) => ({ headers: { "X-Reqcli-Stub": name } });

assert.deepEqual(await (await fetch(feed)).json(), [1, 2, 3]);
const failed = await fetch(feed, stub("error"));
assert.equal(failed.status, 503);
assert.equal(failed.headers.get("x-reqcli-stub"), "user.feed=error");
assert.equal(await failed.text(), "later");
const created = await fetch(`${url}/v1/user`, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "Ada" }),
});
assert.deepEqual([created.status, await created.json()], [201, { name: "Ada" }]);
assert.equal((await (await fetch(feed, stub("large"))).arrayBuffer()).byteLength, 5_120_000);
const unknown = await fetch(`${url}/v1/user/1/feeds`);
assert.equal(unknown.status, 404);
assert.equal((await unknown.json()).near[0].endpoint, "user.feed");
await assert.rejects(fetch(feed, stub("reset")));
await assert.rejects(fetch(feed, stub("cut")).then((response) => response.text()));
await assert.rejects(fetch(feed, { ...stub("silent"), signal: AbortSignal.timeout(500) }));
// Many at once, each with the next turn.
const turns = await Promise.all(Array.from({ length: 50 }, () => fetch(feed, stub("turns"))));
assert.equal(turns.filter((response) => response.status === 200).length, 25);
