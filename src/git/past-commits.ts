import { git, type GitPlace } from './git.ts';
import { plainPath } from './paths.ts';
import type { Repository } from './repository.ts';

export interface PastCommit {
  readonly id: string;
  readonly date: string;
  readonly subject: string;
  readonly body: string;
  /** The first commit of all: it says nothing about what changes together. */
  readonly isRoot: boolean;
  /** Files that it touched, by what it did to them. */
  readonly files: readonly { readonly path: string; readonly status: 'added' | 'modified' }[];
}

const mostCommits = 1000;

/** What is run, for the reader of the events. */
export const logCommand = `git log --no-merges -n ${mostCommits} --name-status`;

/** The latest commits before the base without merges, newest first, or null if git cannot say. */
export async function pastCommits(
  place: GitPlace,
  base: string,
): Promise<readonly PastCommit[] | null> {
  const format = `--format=${['%x01', '%H', '%P', '%as', '%s', '%b'].join('%x00')}`;
  const shape = ['--no-merges', '--encoding=UTF-8', '--no-renames', '--name-status', '--relative'];
  const args = ['log', '-n', String(mostCommits), ...shape, '-z', format, base, '--', '.'];
  const answer = await git(place, args);
  return answer.ok ? commitsIn(answer.stdout.toString('utf8').split('\0')) : null;
}

/** The latest commits while git tells them; nobody waits for them once it is disposed of. */
export interface ComingCommits extends Disposable {
  /** See `pastCommits`; null also where git takes longer than so many ms from now, if any. */
  within(ms: number): Promise<readonly PastCommit[] | null>;
}

/** Begins to read the commits before the base; null where there is none. */
export function comingCommits(
  { root, base }: Pick<Repository, 'root' | 'base'>,
  signal: AbortSignal,
): ComingCommits | null {
  if (base.commit === null) return null;
  const ended = new AbortController();
  const place = { root, signal: AbortSignal.any([signal, ended.signal]) };
  const reading = pastCommits(place, base.commit);
  // It may fail before anybody waits for it.
  reading.catch(() => undefined);
  return {
    async within(ms) {
      // Even the shortest timer may come after an answer that was there already.
      if (ms === 0) ended.abort();
      const timer = setTimeout(() => ended.abort(), ms);
      try {
        return await reading;
      } catch (error) {
        signal.throwIfAborted();
        if (!ended.signal.aborted) throw error;
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.dispose]: () => ended.abort(),
  };
}

const fieldCount = 5;

/** Neither a message nor a path can hold a NUL, so the order of the fields is sure. */
function commitsIn(fields: readonly string[]): readonly PastCommit[] {
  const commits: PastCommit[] = [];
  let at = 0;
  while (at < fields.length) {
    if (fields[at] !== '\x01') {
      at++;
      continue;
    }
    const head = fields.slice(at + 1, at + 1 + fieldCount);
    const { files, next } = filesFrom(fields, at + 1 + fieldCount);
    commits.push(commitOf(head, files));
    at = next;
  }
  return commits;
}

function commitOf(head: readonly string[], files: PastCommit['files']): PastCommit {
  const [id = '', parents = '', date = '', subject = '', body = ''] = head;
  return { id, date, subject: plainLine(subject), body, isRoot: parents === '', files };
}

/** Pairs of a status letter and a path; deleted files are left out. */
function filesFrom(
  fields: readonly string[],
  from: number,
): { readonly files: PastCommit['files']; readonly next: number } {
  const files: { path: string; status: 'added' | 'modified' }[] = [];
  let at = from;
  for (; /^\n?[A-Z]$/.test(fields[at] ?? ''); at += 2) {
    const path = plainPath(fields[at + 1] ?? '');
    const status = fields[at]?.trim();
    if (path === null || status === 'D') continue;
    files.push({ path, status: status === 'A' ? 'added' : 'modified' });
  }
  return { files, next: at };
}

/** Without control characters, so that it can stand in a sentence. */
function plainLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
