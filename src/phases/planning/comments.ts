// Keeps a person's comments on a plan and its result in `comments.json`, and says what came of each.
import { z } from 'zod';
import { type Block, type Document, listAnchors } from '../../model/document.ts';
import type { Retry, TaskOutcome } from '../../model/execution.ts';
import { readAs } from '../../model/json.ts';
import { PlanComment, SavedComment, commentOf } from '../../model/plan-edit.ts';
import { oneLine } from '../../model/wording.ts';
import type { SessionFolder } from '../../store/session-folder.ts';

const file = 'comments.json';
const Comments = z.array(SavedComment);

type Folder = Pick<SessionFolder, 'read' | 'writeJson'>;

/** Reads the comments, in the order in which they were written. */
export async function readComments(
  folder: Pick<SessionFolder, 'read'>,
): Promise<readonly SavedComment[]> {
  return readAs(Comments, await folder.read(file)) ?? [];
}

/** A comment as a person leaves it; with the id of an earlier one, it replaces that one. */
export type WrittenComment = PlanComment & { readonly id?: string };

/** Saves a comment at once; without a text it is removed. */
export async function keepComment(
  folder: Folder,
  { id, ...comment }: WrittenComment,
  place: Pick<SavedComment, 'on' | 'version'>,
): Promise<void> {
  const all = await readComments(folder);
  const at = id === undefined ? all.length : all.findIndex((one) => one.id === id);
  const text = comment.text.trim();
  const own = PlanComment.parse({ ...comment, text });
  const kept = { ...own, id: all[at]?.id ?? nextId(all), ...place, sent: null };
  const next = all.toSpliced(at < 0 ? all.length : at, 1, ...(text === '' ? [] : [kept]));
  await folder.writeJson(file, next);
}

/** Remembers in which version these comments were sent; those that were never saved are added. */
export async function settleComments(
  folder: Folder,
  sent: readonly PlanComment[],
  { on, version }: Pick<SavedComment, 'on' | 'version'>,
): Promise<void> {
  const all = [...(await readComments(folder))];
  for (const comment of sent) {
    const at = all.findIndex((one) => one.sent === null && isSame(one, comment));
    const known = all[at] ?? { ...comment, id: nextId(all), on, version: version - 1 };
    all.splice(at < 0 ? all.length : at, 1, { ...known, sent: version });
  }
  await folder.writeJson(file, all);
}

/** True for two comments that say the same of the same line. */
export function isSame(one: PlanComment, other: PlanComment): boolean {
  return one.text === other.text && one.task === other.task && one.anchor === other.anchor;
}

function nextId(all: readonly SavedComment[]): string {
  const last = all.map(({ id }) => Number(id.slice(1)));
  return `C${Math.max(0, ...last) + 1}`;
}

/** The comments on the plan, or on its result, that nobody has sent yet. */
export function unsentIn(
  comments: readonly SavedComment[],
  where: SavedComment['on'],
): readonly SavedComment[] {
  return comments.filter(({ sent, on }) => sent === null && on === where);
}

/**
 * Reads a comment that may begin with `ANCHOR=` or with the id of its task and a colon. An anchor counts only if
 * the document has it; else the whole text is a comment on the plan.
 */
export function readComment(
  text: string,
  { document, ids }: { readonly document: Document | null; readonly ids: readonly string[] },
): PlanComment {
  const [, anchor = '', rest = ''] = /^([^\s=]+)=(.*)$/s.exec(text) ?? [];
  const quote = lineAt(document, anchor);
  if (quote === undefined || rest.trim() === '') return commentOf(text, ids);
  return { task: taskOf(anchor, ids), anchor, quote, text: rest.trim() };
}

/** The task that an anchor belongs to; null for the plan as a whole. */
export function taskOf(anchor: string, ids: readonly string[]): string | null {
  return ids.find((id) => anchor === id || anchor.startsWith(`${id}.`)) ?? null;
}

/** The task that changed the file of a line of the result; the first one if nobody can tell. */
export function taskOfChange(
  anchor = '',
  tasks: readonly Pick<TaskOutcome, 'task' | 'files_modified'>[],
): string | null {
  const isOf = (path: string) => `${anchor}.`.startsWith(`diff.${path}.`);
  const owner = tasks.find(({ files_modified: files }) => files.some(isOf));
  return (owner ?? tasks[0])?.task ?? null;
}

const linesByBlock = new WeakMap<Block, ReadonlyMap<string, string>>();

/** Returns the text of a line; undefined if the document has no such line. Lists the lines of each block only once. */
function lineAt(document: Document | null, anchor: string): string | undefined {
  for (const block of document?.blocks ?? []) {
    const lines =
      linesByBlock.get(block) ??
      new Map(listAnchors([block]).map((line) => [line.anchor, line.text]));
    linesByBlock.set(block, lines);
    const text = lines.get(anchor);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The comment on a line that was not sent, to be changed, or else a new one; those on no line stand at an empty anchor. */
export function commentAt(
  anchor: string,
  {
    document,
    comments,
  }: { readonly document: Document | null; readonly comments: readonly SavedComment[] },
): WrittenComment {
  const placeOf = ({ anchor: own = '' }: SavedComment) =>
    lineAt(document, own) === undefined ? '' : own;
  const known = comments.find((one) => one.sent === null && placeOf(one) === anchor);
  const quote = lineAt(document, anchor);
  const line = anchor === '' ? {} : { anchor, ...(quote !== undefined && { quote }) };
  return known ?? { task: null, text: '', ...line };
}

/** Texts of comments by the anchor of their line; those whose line is gone stand under an empty anchor. */
export function commentNotes(
  comments: readonly SavedComment[],
  document: Document | null,
): ReadonlyMap<string, readonly string[]> {
  const notes = new Map<string, readonly string[]>();
  for (const { anchor = '', text, quote, state, isHere } of commentFates(comments, document)) {
    const at = isHere ? anchor : '';
    const about = at === '' && quote !== undefined ? ` (on “${oneLine(quote)}”)` : '';
    notes.set(at, [...(notes.get(at) ?? []), `${oneLine(text)}${about} · ${state}`]);
  }
  return notes;
}

/** Says what came of a comment: whether it was sent, and what its line says now. */
export function commentFate(comment: SavedComment, document: Document | null): string {
  return commentFates([comment], document)[0]?.state ?? '';
}

/** A comment with what came of it, and whether the document still has its line. */
export interface CommentFate extends SavedComment {
  readonly state: string;
  readonly isHere: boolean;
}

/** Says what came of each comment. */
export function commentFates(
  comments: readonly SavedComment[],
  document: Document | null,
): readonly CommentFate[] {
  if (comments.length === 0) return [];
  const has = (anchor: string) => lineAt(document, anchor) !== undefined;
  return comments.map((comment) => {
    const { anchor, quote = '', sent, on } = comment;
    const now = anchor === undefined ? undefined : lineAt(document, anchor);
    // A document of the plan has no line of the result, and that of a result not all lines of the plan.
    const isShown = on === 'plan' ? !has('result') : has('diff');
    const isGone = anchor !== undefined && now === undefined && isShown;
    const where = on === 'plan' ? `sent for version ${sent}` : 'sent back to its task';
    const parts = [sent === null ? 'not sent' : where];
    if (isGone) parts.push('its line is gone');
    else if (sent !== null && now !== undefined)
      parts.push(now === quote ? 'its line is unchanged' : `it says now: ${oneLine(now)}`);
    return { ...comment, state: parts.join('; '), isHere: now !== undefined };
  });
}

/** What a person wrote about lines of a result, as a note for the agents that do their tasks again. */
function noteOf(comments: readonly PlanComment[]): string {
  return comments
    .map(({ anchor = '', quote = '', text }) => {
      const path = anchor.replace(/^diff\./, '').replace(/\.[^./]*$/, '');
      return anchor === '' ? text : `${path}, on the line “${quote}”: ${text}`;
    })
    .join('\n');
}

/** Takes the unsent comments on its tasks into the note of a retry; they count as sent with it. */
export async function sendWithRetry(folder: Folder, retry: Retry, version: number): Promise<Retry> {
  const open = unsentIn(await readComments(folder), 'result');
  const sent = open.filter(({ task }) => retry.tasks.includes(task ?? ''));
  await settleComments(folder, sent, { on: 'result', version });
  const note = [retry.note, noteOf(sent)].filter((text) => text !== '').join('\n');
  return { ...retry, note };
}
