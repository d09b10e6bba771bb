// Opens the page of a session as a browser would, by HTTP.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Rig } from './rig.ts';

/** A page that is served by `conclave review --web`, without a terminal. */
export interface PageClient {
  readonly child: ChildProcess;
  readonly port: number;
  /** The latest link. */
  readonly token: string;
  /** The private file that leads to it. */
  readonly file: string;
  /** Everything printed so far. */
  printed(): string;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
}

/** The private file that holds the link: what is printed holds no key. */
const linkFile = /\/[\w./-]+\/conclave-page-\w+\/open\.html/;
const link = /http:\/\/127\.0\.0\.1:(\d+)\/#key=([\w-]+)/;

/** Starts a command that serves a page, and waits for its link. */
export async function servedPage(rig: Rig, ...words: readonly string[]): Promise<PageClient> {
  const child = rig.start(...words);
  let text = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const file = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const [seen] = linkFile.exec(text) ?? [];
      if (seen !== undefined) resolve(seen);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', () => reject(new Error(`ended without a link: ${text}`)));
  });
  const found = link.exec(readFileSync(file, 'utf8')) ?? [];
  return { child, port: Number(found[1]), token: found[2] ?? '', file, printed: () => text, ended };
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** What is sent; where nothing is said, as a page sends it. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly address?: string;
}

/** Sends a request with exactly these headers, which a browser would not allow. */
export async function send(port: number, sent: Sent): Promise<HttpReply> {
  const { method = 'GET', path = '/', body, address = '127.0.0.1' } = sent;
  const headers = {
    host: `127.0.0.1:${port}`,
    ...(method === 'POST'
      ? { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' }
      : {}),
    ...sent.headers,
  };
  return await new Promise((resolve, reject) => {
    const out = request({ host: address, port, method, path, headers, setHost: false }, (reply) => {
      let text = '';
      reply.on('data', (chunk: Buffer) => void (text += chunk.toString()));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }),
      );
    });
    out.on('error', reject);
    out.end(body);
  });
}

/** Swaps a token for the headers of an admitted page. */
export async function admitted(
  port: number,
  token: string,
): Promise<Readonly<Record<string, string>>> {
  const reply = await send(port, {
    method: 'POST',
    path: '/api/session',
    body: JSON.stringify({ token }),
  });
  const { bearer } = z.object({ bearer: z.string() }).parse(JSON.parse(reply.text));
  return { authorization: `Bearer ${bearer}` };
}

/** What a page shows: texts, and the HTML of some parts. */
export interface Shown {
  /** Each line that was told. */
  readonly told: readonly string[];
  readonly status: string;
  /** The number of the question; null if nothing is asked. */
  readonly question: string | null;
  readonly seen: string;
  readonly comments: string;
  readonly document: string;
}

/** What a page shows, merged from the lines of its open reply as the page does; `until` is what is waited for. */
export async function shown(
  port: number,
  headers: Readonly<Record<string, string>>,
  until: (page: Shown) => boolean,
): Promise<Shown> {
  const own = { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' };
  const asked = { host: '127.0.0.1', port, method: 'POST', path: '/api/page' };
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const out = request({ ...asked, headers: { ...own, ...headers } }, resolve);
    out.once('error', reject).end('{}');
  });
  const parts = new Map<string, string>();
  const told: string[] = [];
  for await (const line of createInterface({ input: reply })) {
    told.push(line);
    for (const html of elementsOf(line)) {
      const id = /id="([^"]*)"/.exec(html)?.[1] ?? '';
      if (id === 'page-parts') for (const old of parts.keys()) if (isPart(old)) parts.delete(old);
      parts.set(id, html);
    }
    const page = pageFrom(parts, told);
    if (!until(page)) continue;
    reply.destroy();
    return page;
  }
  throw new Error(
    `the page ended before it showed what is waited for: ${JSON.stringify([...parts]).slice(0, 2000)}`,
  );
}

/** The elements that a line tells. */
export const elementsOf = (line: string): readonly string[] =>
  String(JSON.parse(line)).split(/(?=<div id="(?:page|part)-)/);

const isPart = (id: string) => id.startsWith('part-');

function pageFrom(parts: ReadonlyMap<string, string>, told: readonly string[]): Shown {
  const html = (name: string) => parts.get(`page-${name}`) ?? '';
  return {
    told: [...told],
    status: textIn(html('status')),
    question: /data-about="(\d+)"/.exec(html('question'))?.[1] ?? null,
    seen: textIn(html('seen')),
    comments: html('comments'),
    document: [...parts].flatMap(([id, part]) => (isPart(id) ? part : [])).join(''),
  };
}

/** What a reader sees of HTML. */
export const textIn = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The text that the first field of a form proposes. */
export const proposedIn = (html: string) =>
  textIn(/<textarea[^>]*>\n?(.*?)<\/textarea>/s.exec(html)?.[1] ?? '');
