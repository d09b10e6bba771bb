import type { RelevantFile } from '../../model/context.ts';
import { version } from '../../version.ts';
import type { ContextQuery, SearchLimits } from '../provider.ts';
import { placesOf } from './answer.ts';
import { connect, type McpClient } from './client.ts';
import { failed, type Found } from './fault.ts';
import { argumentsFor, queriesFor } from './fill.ts';
import { foundFiles } from './found-files.ts';
import { hitsIn, type Hit } from './hits.ts';
import type { Files, McpServer } from './provider.ts';
import type { ServerProgram } from './server-program.ts';

interface Search {
  readonly server: McpServer;
  readonly repository: Files;
  readonly query: ContextQuery;
  readonly limits: SearchLimits;
}

/** Puts the queries to a server that runs: the files that it names, fused. */
export async function searchWith(
  program: ServerProgram,
  search: Search,
): Promise<Found<readonly RelevantFile[]>> {
  const { server, query, repository, limits } = search;
  const { root } = repository;
  const { maxBytes } = server;
  const connected = await connect(program, { root, version, maxBytes, signal: limits.signal });
  if (!connected.ok) return connected;
  const tools = await connected.value.tools();
  if (!tools.ok) return tools;
  const known = tools.value.get(server.tool);
  if (known === undefined) {
    const names = [...tools.value.keys()].slice(0, 8).join(', ') || 'none';
    return failed(`its server has no tool ${server.tool}; it has: ${names}`);
  }
  const queries = queriesFor(server.queries, query);
  const answers = await answersTo(queries, { client: connected.value, known, search });
  const lists = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  const failure = answers.find((answer) => !answer.ok);
  if (lists.length === 0) return failure ?? failed('there was nothing to ask its server for');
  const by = `the MCP tool ${server.tool}`;
  const { maxFiles } = limits;
  const read = (path: string) => repository.read(path);
  const value = await foundFiles({ lists, by, asked: queries.length, maxFiles, read });
  return { ok: true, value };
}

/** One after the other, as a server may read the whole repository for the first one. */
async function answersTo(
  queries: readonly string[],
  asking: {
    readonly client: McpClient;
    /** The arguments that the tool lists; null where it lists none. */
    readonly known: ReadonlySet<string> | null;
    readonly search: Search;
  },
): Promise<readonly Found<readonly Hit[]>[]> {
  const { client, known, search } = asking;
  const { server, query, repository, limits } = search;
  const answers: Found<readonly Hit[]>[] = [];
  for (const text of queries) {
    const call = { query: text, task: query.task, root: repository.root, limit: limits.maxFiles };
    const given = Object.entries(argumentsFor(server.arguments, call));
    const values = given.filter(([name]) => known === null || known.has(name));
    try {
      answers.push(await askFor(client, { search, values: Object.fromEntries(values) }));
    } catch (error) {
      // What came in time counts.
      if (!limits.signal.aborted || !answers.some(({ ok }) => ok)) throw error;
      break;
    }
  }
  return answers;
}

async function askFor(
  client: McpClient,
  call: { readonly search: Search; readonly values: Readonly<Record<string, unknown>> },
): Promise<Found<readonly Hit[]>> {
  const { server, repository } = call.search;
  const answer = await client.call(server.tool, call.values);
  if (!answer.ok) return answer;
  const readings = placesOf(answer.value);
  if (!readings.ok) return readings;
  const files = new Set(await repository.files());
  for (const places of readings.value) {
    const hits = hitsIn(places, { root: repository.root, files });
    if (hits.length > 0) return { ok: true, value: hits };
  }
  return failed('its server named no file that is in the repository');
}
