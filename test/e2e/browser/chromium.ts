import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

/** The program of a Chromium on this machine; null where there is none. */
export const chromium =
  ['chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  ) ?? null;

const Message = z.object({
  id: z.int().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** One page of a headless browser. */
export interface BrowserPage {
  /** Asks the DevTools of the page for something. */
  send(method: string, params?: object): Promise<unknown>;
  /** The value of an expression in the page. */
  value(expression: string): Promise<unknown>;
  /** Opens an address and resolves when it is loaded. */
  open(address: string): Promise<void>;
  /** What was logged or thrown in the page, and every request it made. */
  readonly heard: { readonly logged: unknown[]; readonly requests: string[] };
  close(): Promise<void>;
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

/** Starts a browser with one empty page. It is spoken to over a pipe, so it listens nowhere. */
export async function openBrowser(program: string): Promise<BrowserPage> {
  const profile = mkdtempSync(join(tmpdir(), 'conclave-browser-'));
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const heard: BrowserPage['heard'] = { logged: [], requests: [] };
  const waiting = new Map<string, (message: z.infer<typeof Message>) => void>();
  listen(child, (message) => {
    const { id, method = '' } = message;
    note(message, heard);
    const key = id === undefined ? method : String(id);
    waiting.get(key)?.(message);
    waiting.delete(key);
  });
  const hear = (key: string) =>
    new Promise<z.infer<typeof Message>>((resolve) => waiting.set(key, resolve));
  let last = 0;
  const ask = async (method: string, params: object, session?: string): Promise<unknown> => {
    last += 1;
    const answer = hear(String(last));
    writerOf(child).write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const { targetId } = z
    .object({ targetId: z.string() })
    .parse(await ask('Target.createTarget', { url: 'about:blank' }));
  const { sessionId } = z
    .object({ sessionId: z.string() })
    .parse(await ask('Target.attachToTarget', { targetId, flatten: true }));
  const send = (method: string, params: object = {}) => ask(method, params, sessionId);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  return {
    send,
    heard,
    async value(expression) {
      const answer = await send('Runtime.evaluate', { expression, returnByValue: true });
      return z.object({ result: z.object({ value: z.unknown() }) }).parse(answer).result.value;
    },
    async open(url) {
      const loaded = hear('Page.loadEventFired');
      await send('Page.navigate', { url });
      await loaded;
    },
    async close() {
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function listen(child: ChildProcess, told: (message: z.infer<typeof Message>) => void): void {
  let rest = '';
  readerOf(child)
    .setEncoding('utf8')
    .on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) told(Message.parse(JSON.parse(message)));
    });
}

function note({ method, params }: z.infer<typeof Message>, heard: BrowserPage['heard']): void {
  if (method === 'Network.requestWillBeSent') {
    heard.requests.push(
      z.object({ request: z.object({ url: z.string() }) }).parse(params).request.url,
    );
  }
  const isLogged = /^(?:Log\.entryAdded|Runtime\.(?:exceptionThrown|consoleAPICalled))$/;
  if (method !== undefined && isLogged.test(method)) heard.logged.push(params);
}

function writerOf({ stdio }: ChildProcess): Writable {
  const stream = stdio[3];
  if (stream === null || stream === undefined || !('write' in stream)) throw new Error('no pipe');
  return stream;
}

function readerOf({ stdio }: ChildProcess): Readable {
  const stream = stdio[4];
  if (stream === null || stream === undefined || !('read' in stream)) throw new Error('no pipe');
  return stream;
}
