// Takes records that cannot be read out of a journal, says what they were, and keeps a copy.
import { formatVersion } from '../model/session.ts';
import { parseStep } from '../model/steps.ts';
import {
  encodeSealed,
  type JournalRecord,
  readLine,
  unseal,
  sealOf,
  wholeLinesIn,
} from './journal-record.ts';
import { foldSteps, withFollowers } from './recorded-steps.ts';
import { type Link, originOfRest, readSeals, type Seal } from './seal.ts';
import type { FolderFiles } from './folder-files.ts';
import type { SessionFolder } from './session-folder.ts';

/** The losses of a repair. */
export interface Repair {
  /** One sentence for each loss. */
  readonly lost: readonly string[];
  /** Keys of recorded steps that are done again. */
  readonly redone: readonly string[];
}

const fileName = 'journal.jsonl';

interface RepairTools {
  /** Has the file for what is recorded apart. */
  readonly apart: FolderFiles | null;
  /** The user’s; a journal that it has sealed so far stays the user’s. */
  readonly key: Buffer | null;
  readonly now: Date;
}

/**
 * Takes out what cannot be read, as the one owner of the session. What only a lost record had
 * voided is voided again. Throws `other-format`.
 */
export async function repairJournal(
  folder: SessionFolder,
  { apart, key, now }: RepairTools,
): Promise<Repair> {
  const session = folder.id;
  const own = await repairFile(folder, () => keepJournal(folder, now), { session, now, key });
  if (apart === null) return own;
  const copy = journalCopy(now).replace('journal-', 'journal-apart-');
  const keep = (text: Buffer) => folder.write(copy, text);
  const other = await repairFile(apart, keep, { session, now, key: null });
  return { lost: [...own.lost, ...other.lost], redone: [...own.redone, ...other.redone] };
}

async function repairFile(
  files: Pick<FolderFiles, 'readBytes' | 'write'>,
  keep: (text: Buffer) => Promise<void>,
  { session, now, key }: Pick<RepairTools, 'now' | 'key'> & { readonly session: string },
): Promise<Repair> {
  const text = (await files.readBytes(fileName)) ?? Buffer.alloc(0);
  const { records, lines, links, losses } = salvage(text, session);
  if (losses.length === 0) return { lost: [], redone: [] };
  await keep(text);
  const redone = [...new Set(losses.flatMap((loss) => stale(records, loss)))];
  const lost = losses.map(lossText);
  const head = { v: formatVersion, at: now.toISOString() } as const;
  const why = 'a record before them could not be read';
  const added: readonly JournalRecord[] = [
    ...(redone.length === 0 ? [] : [{ ...head, type: 'voided', keys: redone, why } as const]),
    ...lost.map((one) => ({ ...head, type: 'noted', text: `Repaired: ${one}` }) as const),
  ];
  const kept = lines.flatMap((line) => [line, lineEnd]);
  const seal = sealAfter({ lines, links, key, session });
  const more = added.map((record) => encodeSealed(record, seal));
  await files.write(fileName, Buffer.concat([...kept, ...more]));
  return { lost, redone };
}

/** Seals only what follows records of the user, so that a repair makes nothing the user’s. */
function sealAfter({
  lines,
  links,
  ...at
}: Pick<ReturnType<typeof salvage>, 'lines' | 'links'> & {
  readonly key: Buffer | null;
  readonly session: string;
}): Seal | null {
  return originOfRest(links, at) === 'own' ? readSeals(lines.map(unseal), at).seal : null;
}

const lineEnd = Buffer.from('\n');

/** The name of the copy of a journal that is repaired at that moment. */
export function journalCopy(now: Date): string {
  return `journal-${now.toISOString().replaceAll(/[:.]/g, '-')}.jsonl`;
}

/** Keeps the journal as it was before the repair beside it. */
export async function keepJournal(folder: SessionFolder, now: Date): Promise<void> {
  const name = journalCopy(now);
  const isKept = (await folder.list('.')).includes(name);
  const text = isKept ? null : await folder.readBytes(fileName);
  if (text !== null) await folder.write(name, text);
}

/** A line that could not be read as it is. */
interface Loss {
  /** Counted from 1. */
  readonly line: number;
  /** Counts the records before it. */
  readonly at: number;
  /** True where only a line end is lost. */
  readonly isWhole: boolean;
  /** As far as it can still be told. */
  readonly type: string | null;
  readonly key: string | null;
}

/** The bytes of a line stay as they are: they may hold what only a later version knows. */
function salvage(text: Buffer, session: string) {
  const records: JournalRecord[] = [];
  const lines: Buffer[] = [];
  const links: Link[] = [];
  const losses: Loss[] = [];
  let number = 0;
  for (let start = 0; start < text.length;) {
    number += 1;
    const found = text.indexOf(0x0a, start);
    const end = found === -1 ? text.length : found;
    const line = text.subarray(start, end);
    const where = { session, number };
    const isWhole = found !== -1 && readLine(line, where) !== null;
    const pieces = isWhole ? [line] : wholeLinesIn(line);
    if (!isWhole) {
      const loss = { line: number, at: records.length, isWhole: pieces.length > 0 };
      losses.push({ ...loss, ...traceOf(line) });
    }
    records.push(...pieces.flatMap((piece) => readLine(piece, where) ?? []));
    lines.push(...pieces);
    links.push(...pieces.map(unseal));
    if (pieces.length === 0) links.push({ lost: sealOf(line) });
    start = end + 1;
  }
  return { records, lines, links, losses };
}

function traceOf(bytes: Buffer): Pick<Loss, 'type' | 'key'> {
  const text = bytes.toString('utf8', 0, 1_000);
  const [, type = null] =
    /"type":"(opened|started|finished|voided|spent|stopped|set|noted)"/.exec(text) ?? [];
  const [, key = null] = /"key":"([^"\\]{1,200})"/.exec(text) ?? [];
  return { type, key: key === null || parseStep(key) === null ? null : key };
}

const kinds: Readonly<Record<string, string>> = {
  opened: 'of its origin',
  started: 'of a start',
  finished: 'of a result',
  voided: 'of steps that were to be done again',
  spent: 'of what an agent used, which the budget no longer counts',
  stopped: 'of an interruption',
  set: 'of settings that were changed',
  noted: 'of a note',
};

function lossText({ line, isWhole, type, key }: Loss): string {
  if (isWhole) return `line ${line} of ${fileName} had lost a line end; its records are kept.`;
  const what = kinds[type ?? ''] ?? 'of a kind that cannot be told any more';
  const of = key === null ? '' : ` (${key})`;
  const again = type === 'finished' ? '; it is asked for again' : '';
  return `line ${line} of ${fileName}, the record ${what}${of}, is lost${again}.`;
}

/**
 * Steps that count again only because the record that voided them is lost: the lost one may have
 * done so where a step began anew after it.
 */
function stale(records: readonly JournalRecord[], { at, type, isWhole }: Loss): readonly string[] {
  if (isWhole || (type !== null && type !== 'voided')) return [];
  const before = records.slice(0, at);
  const known = foldSteps(before);
  const later = records.slice(at);
  const begun = new Set(later.flatMap((one) => (one.type === 'started' ? [one.key] : [])));
  const again = [...begun].filter((key) => known.get(key)?.finished);
  return withFollowers(before, again).filter((key) => !begun.has(key));
}
