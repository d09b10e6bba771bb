// Serves one page to the browsers of this machine: checks each request, and hands on what may pass.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { wrongUsage } from '../model/failure.ts';
import { jsonIn } from '../model/json.ts';
import type { PageAccess } from './page-access.ts';

/** Refuses a request with a status, and says why in one sentence. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

/** What answers the requests of an admitted page with JSON, by their method and path, e.g. `POST /api/act`. */
type Routes = Readonly<Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>>;

interface Served {
  readonly access: PageAccess;
  readonly routes: Routes;
  /** The page, and the policy that its browser enforces. */
  readonly page: { readonly html: string; readonly policy: string };
  /** The port; 0 for any that is free. */
  readonly port: number;
}

export interface PageServer {
  readonly port: number;
  /** Ends once the running replies are sent. */
  close(): Promise<void>;
}

/** The only address that is ever listened at: nobody outside of this machine reaches it. */
const loopback = '127.0.0.1';

/** The most bytes of a request, and the longest time that one may take to arrive, in ms. */
const mostBytes = 1_000_000;
const requestTimeout = 10_000;

/** Starts the server. Throws `usage` for a port that cannot be listened at. */
export async function servePage(served: Served): Promise<PageServer> {
  const server = createServer({ requestTimeout }, (request, response) => {
    void answer(request, response, served);
  });
  server.maxConnections = 100;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(served.port, loopback, resolve);
  await promise.catch((error: Error & { readonly code?: string }) => {
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code})`;
    throw wrongUsage(`--port ${served.port} ${why}; name another one, or none for any free port.`);
  });
  const at = server.address();
  return {
    port: typeof at === 'object' && at !== null ? at.port : served.port,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeIdleConnections();
      // Who has not read the last words by now has closed the page.
      const late = setTimeout(() => server.closeAllConnections(), 500);
      await closed.promise;
      clearTimeout(late);
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { status, body } = await replyTo(request, served, gone.signal).then(
    (told) => ({ status: 200, body: told }),
    (error: unknown) => ({
      status: error instanceof Refused ? error.status : 500,
      body: { why: error instanceof Error ? error.message : String(error) },
    }),
  );
  const isPage = typeof body === 'string';
  response.writeHead(status, {
    ...headers,
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'content-security-policy': isPage ? served.page.policy : "default-src 'none'",
    // What is left of a refused request is not read.
    ...(status >= 400 ? { connection: 'close' } : {}),
  });
  response.end(isPage ? body : JSON.stringify(body ?? {}));
}

/** There is no header by which a page of another origin could read a reply. */
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The one request that needs no access: it gets it for the token of a link. */
export const entry = 'POST /api/session';

async function replyTo(
  request: IncomingMessage,
  { access, routes, page }: Served,
  signal: AbortSignal,
): Promise<unknown> {
  const refusal = refusals.find(({ applies }) => applies(request));
  if (refusal !== undefined) throw new Refused(refusal.status, refusal.why);
  const [path = '', query] = (request.url ?? '').split('?');
  const wanted = `${request.method} ${path}`;
  if (wanted === 'GET /') return page.html;
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (wanted !== entry && !access.admits(bearer))
    throw new Refused(401, 'This page is not admitted; open the link from the terminal.');
  const route = routes[wanted];
  if (route === undefined) throw new Refused(404, 'There is nothing here.');
  const isSent = request.method === 'POST';
  const input = isSent
    ? jsonIn(await read(request))
    : Object.fromEntries(new URLSearchParams(query));
  if (input === undefined) throw new Refused(400, 'This is not JSON.');
  return await route(input, signal);
}

/** What is refused of any request, in this order. */
const refusals: readonly {
  readonly status: number;
  readonly why: string;
  readonly applies: (request: IncomingMessage) => boolean;
}[] = [
  {
    // A name that leads to this machine may be one that a foreign page chose. A forwarded port may be any.
    status: 421,
    why: 'The address must be 127.0.0.1 or localhost.',
    applies: ({ headers: { host = '' } }) =>
      !/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host),
  },
  {
    // Browsers name the origin of everything that is not a plain reading.
    status: 403,
    why: 'Only the page itself may ask this.',
    applies: ({ method, headers: { origin, host } }) =>
      origin === undefined ? method !== 'GET' : origin !== `http://${host}`,
  },
  {
    status: 405,
    why: 'Only GET and POST are answered.',
    applies: ({ method = '' }) => !['GET', 'POST'].includes(method),
  },
  {
    status: 415,
    why: 'Only application/json is read.',
    applies: ({ method, headers: { 'content-type': type = '' } }) =>
      method === 'POST' && !/^application\/json(?:;|$)/.test(type),
  },
];

/** The text of a request. One that is too long is read, so that the refusal arrives, and dropped. */
async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
  }
  if (bytes > mostBytes) throw new Refused(413, 'This is longer than 1 MB.');
  return Buffer.concat(chunks).toString('utf8');
}
