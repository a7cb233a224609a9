// Logs in with Chromium, as a person does: opens the address, clicks the button, and reads the page at the end.
import { Browser } from "../browser/browser.mjs";

const browser = await Browser.start();
await browser.open(process.argv[2], { width: 800 });
await browser.evaluate("document.querySelector('button[value=yes]').click()");
for (let tries = 0; ; tries++) {
  const text = await browser.evaluate("document.body?.innerText ?? ''").catch(() => "");
  if (text.includes("go back to the terminal")) break;
  if (tries > 200) throw new Error(`the login ended at: ${text}`);
  await new Promise((later) => setTimeout(later, 50));
}
await browser.close();
