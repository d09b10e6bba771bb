// Reads the latest commits up to the base.
import { redactOutput } from '../model/secrets.ts';
import { git, type GitTarget } from './git.ts';
import { isPlainName, plainPath } from './paths.ts';

export interface PastCommit {
  readonly id: string;
  readonly date: string;
  readonly subject: string;
  readonly body: string;
  /** True for the first commit of all, which says nothing about what changes together. */
  readonly isRoot: boolean;
  /** Files that it touched, with what it did to them. */
  readonly files: readonly { readonly path: string; readonly status: 'added' | 'modified' }[];
}

const mostCommits = 3000;

/** The command, for the reader of the events. */
export const logCommand = `git log --no-merges -n ${mostCommits} --name-status`;

/** Reads the latest commits up to the base, without merges, newest first; null if git cannot say. */
export async function pastCommits(
  target: GitTarget,
  base: string,
): Promise<readonly PastCommit[] | null> {
  const format = `--format=${['%x01', '%H', '%P', '%as', '%s', '%b'].join('%x00')}`;
  const shape = ['--no-merges', '--encoding=UTF-8', '--no-renames', '--name-status', '--relative'];
  const args = ['log', '-n', String(mostCommits), ...shape, '-z', format, base, '--', '.'];
  const answer = await git(target, args);
  return answer.ok ? commitsIn(answer.stdout.toString('utf8').split('\0')) : null;
}

/** Reads the first lines of the messages of the latest commits, without merges; null if git cannot say. */
export async function latestSubjects(
  target: GitTarget,
  most: number,
): Promise<readonly string[] | null> {
  const answer = await git(target, ['log', '--no-merges', '-n', String(most), '-z', '--format=%s']);
  if (!answer.ok) return null;
  return answer.stdout
    .toString('utf8')
    .split('\0')
    .filter((subject) => subject !== '');
}

const fieldCount = 5;

/** Reads the commits. Neither a message nor a path can hold a NUL, so the order of the fields is certain. */
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
  const [bareSubject, bareBody] = [redactOutput(plainLine(subject)), redactOutput(body)];
  return { id, date, subject: bareSubject, body: bareBody, isRoot: parents === '', files };
}

/** Reads pairs of a status letter and a path; deleted files are left out. */
function filesFrom(
  fields: readonly string[],
  from: number,
): { readonly files: PastCommit['files']; readonly next: number } {
  const files: { path: string; status: 'added' | 'modified' }[] = [];
  let at = from;
  for (; /^\n?[A-Z]$/.test(fields[at] ?? ''); at += 2) {
    const path = plainPath(fields[at + 1] ?? '');
    const status = fields[at]?.trim();
    if (path === null || status === 'D' || !isPlainName(path)) continue;
    files.push({ path, status: status === 'A' ? 'added' : 'modified' });
  }
  return { files, next: at };
}

/** Removes control characters, so that the text fits into a sentence. */
function plainLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
