// Sends the queries to a server and collects the files that its answers name.
import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { cleanText } from '../../model/clean-text.ts';
import type { RelevantFile } from '../../model/context.ts';
import { jsonIn } from '../../model/json.ts';
import { redactTokens } from '../../model/secrets.ts';
import { clip, oneLine } from '../../model/wording.ts';
import { version } from '../../version.ts';
import type { Repository } from '../../git/repository.ts';
import { plainPath } from '../../git/paths.ts';
import { pathsIn } from '../cited-places.ts';
import { fusePaths } from '../chain.ts';
import type { ContextQuery, SearchLimits } from '../provider.ts';
import { definitionsIn, symbolsIn } from '../symbols.ts';
import { connect, type McpClient } from './client.ts';
import {
  fillTemplate,
  type SearchResult,
  type McpArgument,
  type McpServer,
  type ServerProgram,
} from './known-servers.ts';

interface Search {
  readonly server: McpServer;
  readonly repository: Pick<Repository, 'root' | 'files' | 'read'>;
  readonly query: ContextQuery;
  readonly limits: SearchLimits;
}

/** Sends the queries to a running server; returns the files that it names, fused by reciprocal rank. */
export async function searchWith(
  program: ServerProgram,
  search: Search,
): Promise<SearchResult<readonly RelevantFile[]>> {
  const { server, repository, limits } = search;
  const { root } = repository;
  const { maxBytes } = server;
  const connected = await connect(program, { root, version, maxBytes, signal: limits.signal });
  if (!connected.ok) return connected;
  const tools = await connected.value.tools();
  if (!tools.ok) return tools;
  const known = tools.value.get(server.tool);
  if (known === undefined) {
    const names = [...tools.value.keys()].slice(0, 8).join(', ') || 'none';
    return searchFailure(`its server has no tool ${server.tool}; it has: ${names}`);
  }
  const queries = queriesFor(search);
  const calls = queries.map((query) => argumentsFor(query, { search, known }));
  const answers = await answersTo(calls, { client: connected.value, search });
  const lists = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  const failure = answers.find((answer) => !answer.ok);
  if (lists.length === 0)
    return failure ?? searchFailure('there was nothing to ask its server for');
  const paths = fusePaths(lists.map((list) => list.map(({ name }) => name)));
  const value = await Promise.all(
    paths.slice(0, limits.maxFiles).map(async ({ path, score }) => {
      const named = lists.flatMap((list) => list.filter((one) => one.name === path));
      const often = queries.length === 1 ? '' : ` for ${named.length} of ${queries.length} queries`;
      const reasons = [`named by the MCP tool ${server.tool}${often}`];
      const content = (await repository.read(path)) ?? '';
      return { path, score, reasons, ...partOf(named, { path, content }) };
    }),
  );
  return { ok: true, value };
}

/**
 * The longest query, in characters: a longer one does not improve the search, and some services
 * refuse it.
 */
const longestQuery = 4_000;
const mostKeywords = 10;

/** The queries for the server, without duplicates. */
function queriesFor({ server, query: { task, keywords } }: Search): readonly string[] {
  const told = keywords.length === 0 ? [task] : keywords.slice(0, mostKeywords);
  const values = { task, keywords: told.join(', '), keyword: told[0] ?? task };
  const queries = server.queries.map((one) => fillTemplate(one, values).slice(0, longestQuery));
  return [...new Set(queries)];
}

type Arguments = Readonly<Record<string, McpArgument>>;

/**
 * The arguments that the tool lists, or all if it lists none; a value that is only `{limit}`
 * becomes a number.
 */
function argumentsFor(
  query: string,
  { search, known }: { readonly search: Search; readonly known: ReadonlySet<string> | null },
): Arguments {
  const { server, repository, limits } = search;
  const limit = limits.maxFiles;
  const texts = { query, task: search.query.task, root: repository.root, limit: String(limit) };
  const entries = Object.entries(server.arguments)
    .filter(([name]) => known?.has(name) ?? true)
    .map(([name, value]) => {
      if (value === '{limit}') return [name, limit] as const;
      if (typeof value === 'string') return [name, fillTemplate(value, texts)] as const;
      if (typeof value !== 'object') return [name, value] as const;
      return [name, value.map((part) => fillTemplate(part, texts))] as const;
    });
  return Object.fromEntries(entries);
}

type Answer = SearchResult<readonly CodeLocation[]>;

/** Asks one query after the other, because a server may read the whole repository for the first one. */
async function answersTo(
  calls: readonly Arguments[],
  { client, search }: { readonly client: McpClient; readonly search: Search },
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const values of calls) {
    try {
      answers.push(await answerTo(values, { client, search }));
    } catch (error) {
      // If some answers came in time, they are used.
      if (!search.limits.signal.aborted || !answers.some(({ ok }) => ok)) throw error;
      break;
    }
  }
  return answers;
}

async function answerTo(
  values: Arguments,
  { client, search }: { readonly client: McpClient; readonly search: Search },
): Promise<Answer> {
  const { server, repository } = search;
  const result = await client.call(server.tool, values);
  if (!result.ok) return result;
  const readings = readingsOf(result.value);
  if (!readings.ok) return readings;
  const files = new Set(await repository.files());
  const named = readings.value.map((places) =>
    filesAmong(places, { root: repository.root, files }),
  );
  const best = named.find(({ length }) => length > 0);
  return best === undefined
    ? searchFailure('its server named no file that is in the repository')
    : { ok: true, value: best };
}

/** The places in an answer, the most reliable reading first; the first that leads to a file is right. */
function readingsOf(result: CallToolResult): SearchResult<readonly (readonly CodeLocation[])[]> {
  const { content, structuredContent, isError = false } = result;
  const text = content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();
  if (isError || saysError.test(text)) return searchFailure(`its server failed: ${quote(text)}`);
  const uris = content.flatMap((part) =>
    part.type === 'resource_link' ? part.uri : part.type === 'resource' ? part.resource.uri : [],
  );
  const links = uris.map((uri) => ({ name: uri, start: null, end: null }));
  // JSON is read as text as well, with each field on a line of its own.
  const data = structuredContent ?? jsonIn(text);
  const lines = data === undefined ? text : JSON.stringify(data, null, 1);
  const readings = [links, locationsInText(lines)];
  return readings.some(({ length }) => length > 0)
    ? { ok: true, value: readings }
    : searchFailure(`its server named no file: ${quote(text)}`);
}

/** Some servers report a failure as ordinary text. */
const saysError = /^\W*(?:error|exception|traceback)\b/i;

/** The first words of a text from outside, on one line and safe to display. */
function quote(text: string): string {
  const line = redactTokens(oneLine(cleanText(text)));
  if (line === '') return 'an empty answer';
  return `"${clip(line, 160)}"`;
}

const linesOfHead = 60;

/** The lines that were named, if the file has them, else its head. */
function partOf(
  named: readonly CodeLocation[],
  { path, content }: { readonly path: string; readonly content: string },
): Pick<RelevantFile, 'start' | 'end' | 'symbols'> {
  const lineCount = content.split('\n').length;
  const told = named.find(({ start }) => start !== null && start <= lineCount);
  const start = told?.start ?? 1;
  const end = Math.min(
    lineCount,
    told === undefined ? linesOfHead : Math.max(start, told.end ?? start),
  );
  return { start, end, symbols: [...symbolsIn(definitionsIn(path, content), { start, end })] };
}

/** A place in the code. Lines are counted from 1; null if they are not given. */
export interface CodeLocation {
  /** A path or a URI as the server wrote it. */
  readonly name: string;
  readonly start: number | null;
  readonly end: number | null;
}

/** Picks the places that are files of the repository, each path once with its first lines. */
function filesAmong(
  places: readonly CodeLocation[],
  repository: { readonly root: string; readonly files: ReadonlySet<string> },
): readonly CodeLocation[] {
  const found = new Map<string, CodeLocation>();
  for (const { name, ...lines } of places) {
    const path = plainPath(decode(name).replace(`${repository.root}/`, '').replace(part, ''));
    if (path === null || found.has(path) || !repository.files.has(path)) continue;
    // The lines of a part are counted from the part’s own first line.
    const told = part.test(name) ? { start: null, end: null } : lines;
    found.set(path, { name: path, ...told });
  }
  return [...found.values()];
}

/** Some servers cut large files and name the parts `a.ts#chunk2of3`. */
const part = /#chunk\d+of\d+$/;

function decode(name: string): string {
  if (!name.startsWith('file:')) return name;
  try {
    return fileURLToPath(name);
  } catch (error) {
    // The name is a file of another host, or its bytes are not a path.
    if (error instanceof TypeError || error instanceof URIError) return '';
    throw error;
  }
}

/**
 * The places in an answer, in their order. Code says nothing itself, but numbered code
 * shows the lines of a place that names none.
 */
export function locationsInText(text: string): readonly CodeLocation[] {
  const places: CodeLocation[] = [];
  let isCode = false;
  for (const whole of text.split(/\r?\n/)) {
    const line = whole.slice(0, longestLine);
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const [, shown] = numbered.exec(line) ?? [];
    const last = places.at(-1);
    if (shown !== undefined && last !== undefined)
      places.splice(-1, 1, extend(last, Number(shown)));
    if (shown !== undefined || (isCode && !isFence)) continue;
    for (const { path, first, line: end } of pathsIn(line))
      places.push({ name: path, start: first, end });
  }
  return places;
}

/** The longest line that is read, so that a hostile line is not slow; places come earlier in a line. */
const longestLine = 500;
/** A line of code with its number before it, e.g. `  12  return`. */
const numbered = /^\s*L?(\d{1,7})(?:\t|:|\s*[|│]| {2})/;

function extend(place: CodeLocation, line: number): CodeLocation {
  if (place.start === null) return { ...place, start: line, end: line };
  return line === (place.end ?? 0) + 1 ? { ...place, end: line } : place;
}

function searchFailure(reason: string): {
  readonly ok: false;
  readonly failure: { readonly reason: string };
} {
  return { ok: false, failure: { reason } };
}
