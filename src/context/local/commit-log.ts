import { gitInParts, type GitPlace } from '../../git/git.ts';
import { upTo } from '../../git/past-ids.ts';
import { plainPath } from '../../git/paths.ts';

/** One past commit as git tells of it. */
export interface ReadCommit {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  /** Files that it touched; none where it touched so many that it says nothing of each. */
  readonly files: readonly string[];
}

/** A commit that touches more files moves or reformats. */
const mostFiles = 40;
/** So much is used at once, while git writes more. In bytes. */
const together = 256 * 1024;

/** What stands before each commit, with an id behind it: the end of a message may look like it. */
const mark = '\x01\0';
const marks = new RegExp(`(?<=^|\0)${mark}(?=[\\da-f]{40}(?:[\\da-f]{24})?\0)`);
/** A mark and an id. In bytes. */
const longestHead = mark.length + 65;
const format = `--format=${['%x01', '%H', '%s', '%b', ''].join('%x00')}`;
const shape = ['--name-only', '--relative', '--no-renames', '-z', '--encoding=UTF-8'];
/** A first commit, as that of a shallow clone is, has every file there was: it says nothing of each. */
const withoutFirst = ['-c', 'log.showRoot=false'];

/** Commits by their ids, or those up to one, see `pastIds`. */
export type WantedCommits = { readonly ids: readonly string[] } | { readonly head: string };

/** Whether all of them were read, only the first because it was enough, or git failed on the way. */
type LogEnd = 'whole' | 'cut' | 'failed';

/** Reads these commits until it is `enough`, and gives them on in their order, some at a time. */
export async function readCommits(
  place: GitPlace,
  wanted: WantedCommits & { readonly enough: AbortSignal },
  use: (commits: readonly ReadCommit[]) => void,
): Promise<LogEnd> {
  const plainPaths = rememberedPaths();
  const useAll = (log: Buffer): void => {
    const records = log.toString('utf8').split(marks).slice(1);
    if (records.length > 0) use(records.map((record) => commitIn(record, plainPaths)));
  };
  let parts: Buffer[] = [];
  let bytes = 0;
  let due = together;
  const useComplete = (): void => {
    const log = Buffer.concat(parts);
    // What comes next may belong to the last one.
    const last = lastMark(log);
    useAll(log.subarray(0, last));
    parts = [log.subarray(last)];
    bytes = log.length - last;
    due = Math.max(together, 2 * bytes);
  };
  const { enough } = wanted;
  const { input, which } = askedFor(wanted);
  const args = [...withoutFirst, 'log', ...shape, format, ...which];
  const signal = AbortSignal.any([place.signal, enough]);
  try {
    const end = await gitInParts({ ...place, signal, input }, args, (part) => {
      parts.push(part);
      bytes += part.length;
      if (bytes >= due) useComplete();
      return true;
    });
    if (!end.ok) return 'failed';
  } catch (error) {
    if (error !== enough.reason) throw error;
    useComplete();
    return 'cut';
  }
  useAll(Buffer.concat(parts));
  return 'whole';
}

/** Where the last commit begins; 0 where there is none. */
function lastMark(log: Buffer): number {
  let at = log.lastIndexOf(mark);
  while (at > 0 && !marks.test(log.toString('latin1', at - 1, at + longestHead))) {
    at = log.lastIndexOf(mark, at - 1);
  }
  return Math.max(0, at);
}

function askedFor(wanted: WantedCommits): { readonly input: string; readonly which: string[] } {
  if ('head' in wanted) return { input: '', which: [...upTo, wanted.head] };
  const input = wanted.ids.map((id) => `${id}\n`).join('');
  return { input, which: ['--no-walk=unsorted', '--stdin'] };
}

/** The order of the fields is sure; paths follow up to the end. */
function commitIn(record: string, plain: (path: string) => string | null): ReadCommit {
  // After an empty field the names follow; what comes after one too many is not looked at.
  const [id = '', subject = '', body = '', ...rest] = record.split('\0', 3 + mostFiles + 2);
  const files = rest
    .map((path) => plain(path.startsWith('\n') ? path.slice(1) : path))
    .filter((path) => path !== null);
  return { id, subject, body, files: files.length > mostFiles ? [] : files };
}

/** Most files are touched again and again. */
function rememberedPaths(): (path: string) => string | null {
  const paths = new Map<string, string | null>();
  return (path) => {
    const known = paths.get(path);
    if (known !== undefined) return known;
    const found = plainPath(path);
    paths.set(path, found);
    return found;
  };
}
