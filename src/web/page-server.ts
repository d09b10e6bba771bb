// Serves one page to the browsers of this machine: checks each request, lets pages in, and hands on what may pass.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isObject, jsonIn } from '../model/json.ts';
import { wrongUsage } from '../model/failure.ts';
import { wordsOfError } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';

/** Refuses a request with a status, and says why in one sentence. */
export class Refused extends Error {
  readonly status: number;
  constructor(why: string, status = 422) {
    super(why);
    this.status = status;
  }
}

interface Served {
  /** Does what an admitted page asks for. */
  readonly act: (input: unknown) => Promise<unknown>;
  /** Everything that a page shows, for one that was just opened. */
  readonly whole: () => string;
  /** The page, and the policy that its browser enforces. */
  readonly page: { readonly html: string; readonly policy: string };
  /** The port; 0 for any that is free. */
  readonly port: number;
}

export interface PageServer {
  readonly port: number;
  /** Makes the token of a new link, which opens one page; an older link that nobody opened becomes worthless. */
  newToken(): string;
  /** Tells every open page what has changed. */
  tell(news: string): void;
  /** Ends once the pages have read what they were told. */
  close(): Promise<void>;
}

/** The only address that is ever listened at: nobody outside of this machine reaches it. */
const loopback = '127.0.0.1';

/** The most characters of a request, and the longest time that one may take to arrive, in ms. */
const mostLength = 1_000_000;
const requestTimeout = 10_000;

/** Starts the server. Throws `usage` for a port that cannot be listened at. */
export async function servePage({ act, whole, page, port }: Served): Promise<PageServer> {
  // Only digests are kept, so that how long a comparison takes tells nothing about a secret.
  let open: string | null = null;
  const bearers = new Set<string>();
  /** The reply to each open page, which goes on as long as the page is open. */
  const followers = new Set<ServerResponse>();
  const routes: Readonly<Record<string, (input: unknown) => unknown>> = {
    '/api/session': admit,
    '/api/act': act,
    '/api/page': () => null,
  };

  /** Swaps the token of a link for a bearer, which is good until the server ends. */
  function admit(input: unknown) {
    const token = isObject(input) ? input['token'] : null;
    if (typeof token !== 'string' || sha256Of(token) !== open)
      throw new Refused('This link was used, or is an old one; the terminal makes a new one.', 403);
    open = null;
    const bearer = randomBytes(32).toString('base64url');
    bearers.add(sha256Of(bearer));
    return { bearer };
  }

  async function replyTo(request: IncomingMessage): Promise<unknown> {
    checkOrigin(request);
    const { method, url = '', headers: sent } = request;
    if (method === 'GET' && url === '/') return page.html;
    const bearer = /^Bearer (\S+)$/.exec(sent.authorization ?? '')?.[1] ?? '';
    if (url !== '/api/session' && !bearers.has(sha256Of(bearer)))
      throw new Refused(
        'This page is not admitted: its link was used, or is an old one; the terminal makes a new one.',
        401,
      );
    const route = routes[url];
    if (route === undefined || method !== 'POST') throw new Refused('There is nothing here.', 404);
    const input = jsonIn(await read(request));
    if (input === undefined) throw new Refused('This is not JSON.', 400);
    return await route(input);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await replyTo(request).then(
      (reply) => ({ status: 200, body: reply }),
      (error: unknown) => ({
        status: error instanceof Refused ? error.status : 500,
        body: { why: wordsOfError(error) },
      }),
    );
    const isPage = typeof body === 'string';
    response.writeHead(status, {
      ...headers,
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-security-policy': isPage ? page.policy : "default-src 'none'",
    });
    if (status !== 200 || request.url !== '/api/page')
      return void response.end(isPage ? body : JSON.stringify(body ?? {}));
    response.write(lineOf(whole()));
    followers.add(response.once('close', () => followers.delete(response)));
  }

  const server = createServer({ requestTimeout }, (...exchange) => void answer(...exchange));
  server.maxConnections = 100;
  await once(server.listen(port, loopback), 'listening').catch(({ code }) => {
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw wrongUsage(`--port ${port} ${why}; name another one, or none for any free port.`);
  });
  return {
    port: Number(Object(server.address()).port),
    newToken() {
      const token = randomBytes(16).toString('base64url');
      open = sha256Of(token);
      return token;
    },
    tell(news) {
      for (const response of followers) response.write(lineOf(news));
    },
    async close() {
      for (const response of followers) response.end();
      followers.clear();
      const closed = once(server.close(), 'close');
      // A browser that has stopped reading is not waited for.
      setTimeout(() => server.closeAllConnections(), 500).unref();
      await closed;
    },
  };
}

const lineOf = (news: string) => `${JSON.stringify(news)}\n`;

/** There is no header by which a page of another origin could read a reply. */
const headers = {
  connection: 'close',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Refuses what no page of this server asks. */
function checkOrigin({ method = '', headers: sent }: IncomingMessage): void {
  const { host = '', origin, 'content-type': type = '' } = sent;
  // A name that leads to this machine may be one that a foreign page chose. A forwarded port may be any.
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host))
    throw new Refused('The address must be 127.0.0.1 or localhost.', 421);
  // Browsers name the origin of everything that is not a plain reading.
  if (origin === undefined ? method !== 'GET' : origin !== `http://${host}`)
    throw new Refused('Only the page itself may ask this.', 403);
  if (!['GET', 'POST'].includes(method)) throw new Refused('Only GET and POST are answered.', 405);
  if (method === 'POST' && !/^application\/json(?:;|$)/.test(type))
    throw new Refused('Only application/json is read.', 415);
}

/** The text of a request. One that is too long is read, so that the refusal arrives, and dropped. */
async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8'))
    if (text.length <= mostLength) text += chunk;
  if (text.length > mostLength) throw new Refused('This is longer than 1 MB.', 413);
  return text;
}
