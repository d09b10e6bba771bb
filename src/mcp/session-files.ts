// Gives hosts the files of planning sessions as resources.
import { ResourceTemplate } from '@modelcontextprotocol/server';
import { basename } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { namedFolders, openFolder } from './consent.ts';
import { isTalk } from './job-request.ts';
import { callOf, loadParts, type ToolHost } from './tool-host.ts';

/** Hosts show the list in a menu: the documents for people from the latest sessions. */
const mostSessions = 10;
const isRead = (file: string): boolean => file.endsWith('.md');

/**
 * Registers the files of sessions. The list contains those of jobs in folders that were named; others can be
 * read by their address.
 */
export function registerSessionFiles(host: ToolHost): void {
  const { server } = host;
  const template = new ResourceTemplate('conclave://sessions/{session}/{+file}{?folder}', {
    list: async () => ({ resources: await filesOfJobs(host) }),
  });
  server.registerResource(
    'session-file',
    template,
    {
      title: 'A file of a planning session',
      description:
        'E.g. plan.md of a session; folder is the absolute path of the project. describe_session lists the files.',
    },
    async (uri) => {
      const [, session = '', ...path] = uri.pathname.split('/');
      const folder = uri.searchParams.get('folder') ?? '';
      const text = await textOf({ session, folder, file: path.join('/') }, host);
      return { contents: [{ uri: uri.href, text }] };
    },
  );
}

interface SessionFile {
  readonly session: string;
  /** The absolute path of the project’s folder. */
  readonly folder: string;
  readonly file: string;
}

/** Throws `usage` if the file does not belong to a session. */
async function textOf({ session, folder, file }: SessionFile, host: ToolHost): Promise<string> {
  const { root } = await openFolder(folder, callOf(host, null));
  const { describeSession } = await loadParts();
  const { state, folder: saved } = await describeSession(root, session);
  const text = state.artifacts.includes(file) ? await saved.read(file) : null;
  if (text !== null) return text;
  throw wrongUsage(
    `Session ${session} has no file ${JSON.stringify(file).slice(0, 100)}; describe_session lists its files.`,
  );
}

async function filesOfJobs(host: ToolHost) {
  const { describeSession, listJobs } = await loadParts();
  const jobs = (await listJobs(host.environment)).filter(({ request }) =>
    namedFolders.has(request.folder),
  );
  const places = jobs
    .toSorted((a, b) => (a.state.started_at < b.state.started_at ? 1 : -1))
    .flatMap(({ request, state: { session } }) =>
      session === null || isTalk(request) ? [] : [{ session, folder: request.folder }],
    );
  const latest = [...new Map(places.map((one) => [one.session, one])).values()];
  const files = await Promise.all(
    latest.slice(0, mostSessions).map(async ({ session, folder }) => {
      // A session may have been removed since.
      const { root } = await openFolder(folder, callOf(host, null)).catch(() => ({ root: null }));
      const found = root === null ? null : await describeSession(root, session).catch(() => null);
      const artifacts = found?.state.artifacts.filter(isRead) ?? [];
      return artifacts.map((file) => ({
        uri: `conclave://sessions/${session}/${file}?folder=${encodeURIComponent(folder)}`,
        name: `${session}/${file}`,
        title: `${basename(file)}: ${(found?.state.task_description ?? '').slice(0, 80)}`,
        mimeType: 'text/markdown',
      }));
    }),
  );
  return files.flat();
}
