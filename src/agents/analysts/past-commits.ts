import { git, type GitPlace } from '../../context/git.ts';
import { plainPath } from '../../context/paths.ts';

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
  const format = `--format=${['%x01%H', '%P', '%as', '%s', '%b%x02'].join('%x00')}`;
  const shape = [
    '--no-merges',
    '--encoding=UTF-8',
    '--no-renames',
    '--name-status',
    '--relative',
    '-z',
    format,
  ];
  const answer = await git(place, ['log', '-n', String(mostCommits), ...shape, base, '--', '.']);
  if (!answer.ok) return null;
  return answer.stdout.toString('utf8').split('\x01').flatMap(commitIn);
}

function commitIn(record: string): PastCommit[] {
  const end = record.lastIndexOf('\x02');
  const [id, parents, date, subject, ...body] = record.slice(0, Math.max(0, end)).split('\0');
  if (id === undefined || !/^[0-9a-f]{40,64}$/.test(id) || subject === undefined) return [];
  return [
    {
      id,
      date: date ?? '',
      subject: plainLine(subject),
      body: body.join(' '),
      isRoot: parents === '',
      files: filesIn(record.slice(end + 1)),
    },
  ];
}

/** `M NUL path NUL A NUL path NUL`, after a NUL or a line break. Deleted files are left out. */
function filesIn(list: string): PastCommit['files'] {
  const parts = list.replace(/^[\0\n]+/, '').split('\0');
  const files: { path: string; status: 'added' | 'modified' }[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const path = plainPath(parts[at + 1] ?? '');
    const status = parts[at]?.trim();
    if (path === null || status === 'D') continue;
    files.push({ path, status: status === 'A' ? 'added' : 'modified' });
  }
  return files;
}

/** Without control characters, so that it can stand in a sentence. */
function plainLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
