// A browser by its WebDriver, with no more of the protocol than the smoke run of WebKit needs.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** @typedef {Record<string, string>} Reference an element, as the protocol hands it over */

async function freePort() {
  const server = createServer();
  await new Promise((/** @type {(value?: unknown) => void} */ done) =>
    server.listen(0, '127.0.0.1', done),
  );
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((done) => server.close(done));
  return port;
}

export class Browser {
  #driver;
  #session;

  /** @param {import('node:child_process').ChildProcess} driver @param {string} session */
  constructor(driver, session) {
    this.#driver = driver;
    this.#session = session;
  }

  /** @param {string} driver its path @param {object} capabilities */
  static async start(driver, capabilities) {
    const port = await freePort();
    const child = spawn(driver, [`--port=${port}`], { stdio: 'ignore' });
    const address = `http://127.0.0.1:${port}/session`;
    for (let tries = 0; ; tries += 1) {
      try {
        const asked = { capabilities: { alwaysMatch: capabilities } };
        const { sessionId } = await send(address, 'POST', asked);
        return new Browser(child, `${address}/${sessionId}`);
      } catch (error) {
        if (tries === 50 || child.exitCode !== null) {
          child.kill();
          throw error;
        }
        await new Promise((done) => setTimeout(done, 200));
      }
    }
  }

  /** @param {string} url */
  async open(url) {
    await send(`${this.#session}/url`, 'POST', { url });
  }

  /**
   * Runs a function in the page; its arguments and its value cross as JSON, elements as they are.
   * @param {Function} script @param {unknown[]} args @returns {Promise<any>}
   */
  run(script, ...args) {
    return send(`${this.#session}/execute/sync`, 'POST', {
      script: `return (${script})(...arguments)`,
      args,
    });
  }

  /**
   * Waits until a function in the page gives something true.
   * @param {string} what for whoever reads that it did not @param {Function} script @param {unknown[]} args
   */
  async until(what, script, ...args) {
    const end = Date.now() + 20_000;
    for (;;) {
      const value = await this.run(script, ...args);
      if (value) return value;
      if (Date.now() > end) throw new Error(`not in 20 s: ${what}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /**
   * Presses the pointer somewhere in the window. (WebKit's own click on an element takes the host
   * of a shadow root for something that lies above it.)
   * @param {{ x: number, y: number }} place
   */
  async click({ x, y }) {
    const parameters = { pointerType: 'mouse' };
    const actions = [
      { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await send(`${this.#session}/actions`, 'POST', {
      actions: [{ type: 'pointer', id: 'mouse', parameters, actions }],
    });
  }

  /** Presses keys, wherever the focus is. @param {string[]} keys */
  async press(...keys) {
    const actions = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await send(`${this.#session}/actions`, 'POST', {
      actions: [{ type: 'key', id: 'keys', actions }],
    });
  }

  /** @param {Reference | null} id null for the page itself */
  async enter(id) {
    await send(`${this.#session}/frame`, 'POST', { id });
  }

  async close() {
    await send(this.#session, 'DELETE').catch(() => undefined);
    this.#driver.kill();
  }
}

/** @param {string} url @param {string} method @param {object} [body] */
async function send(url, method, body) {
  const answer = await fetch(url, { method, body: body && JSON.stringify(body) });
  const { value } = /** @type {{ value: any }} */ (await answer.json());
  if (!answer.ok) throw new Error(`${value?.error}: ${value?.message}`);
  return value;
}
