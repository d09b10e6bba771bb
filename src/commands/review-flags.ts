// Reads the flags of `conclave review`, and the edits that `--set` means.
import { z } from 'zod';
import { wrongUsage } from '../model/failure.ts';
import { jsonIn } from '../model/json.ts';
import { type PlanComment, type PlanEdit, commentOf, fieldText } from '../model/plan-edit.ts';
import type { PlanFiles } from '../model/plan.ts';
import { applyEdits } from '../phases/planning/editing/apply-edit.ts';
import { canonicalJson } from '../store/digest.ts';
import type { SchemaCheck } from '../store/published-schemas.ts';

type SetEdit = Extract<PlanEdit, { kind: 'set' }>;

/** A `--set` with its value as it was typed. */
export interface SetFlag {
  /** The id of the task; null for the plan itself. */
  readonly task: string | null;
  readonly field: string;
  readonly text: string;
}

/** The flags of `conclave review` alone. */
export type ReviewFlags = ReturnType<typeof reviewFlags>;

const flag = z.boolean().default(false);
const texts = z.array(z.string()).default([]);
const Values = z.object({
  approve: z.union([z.boolean(), z.string()]).default(false),
  despiteFindings: flag,
  reject: flag,
  json: flag,
  comment: texts,
  set: texts,
});

/** Matches the hash that `conclave review` prints, or a longer part of it. */
const isHash = /^[0-9a-f]{12,64}$/;

/** Throws `usage`, naming the flag, for invalid values and combinations. */
export function reviewFlags(values: object) {
  const {
    approve: approval,
    despiteFindings: despite,
    reject,
    comment,
    set,
    json,
  } = Values.parse(values);
  const approve = approval !== false;
  // A word that is not a hash names the session.
  const word = typeof approval === 'string' ? approval : '';
  const shown = isHash.test(word) ? word : '';
  if (approve && reject)
    throw wrongUsage('--approve and --reject exclude each other; use one of them.');
  if (despite && !approve)
    throw wrongUsage('--despite-findings goes with --approve; give both, or neither.');
  if (approve && comment.length > 0) {
    throw wrongUsage(
      '--comment asks for a new version, so --approve cannot go with it: look at the new version first.',
    );
  }
  const comments = comment.map((text) => text.trim());
  if (comments.includes('')) throw wrongUsage('--comment needs some text.');
  const settings = set.map(settingOf);
  return {
    json,
    approve,
    despite,
    shown,
    named: shown === '' ? word : '',
    reject,
    comments,
    settings,
  };
}

/** Throws `usage` for a comment on an unknown task. */
export function readComment(text: string, ids: readonly string[]): PlanComment {
  const comment = commentOf(text, ids);
  const [, absent] = /^(TASK-\w+):\s*\S/i.exec(text) ?? [];
  if (comment.task !== null || absent === undefined) return comment;
  throw wrongUsage(`--comment names ${absent}, but the tasks of this plan are ${ids.join(', ')}.`);
}

function settingOf(text: string): SetFlag {
  const [, subject, field, value] = /^([^.=\s]+)\.([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (subject === undefined || field === undefined || value === undefined) {
    throw wrongUsage(
      `--set takes TASK.field=value or plan.field=value, e.g. TASK-001.title="Add it", not ${JSON.stringify(text)}.`,
    );
  }
  return { task: subject === 'plan' ? null : subject, field: fieldIn(field), text: value };
}

/** Turns a typed field into ours: people count the entries of a list from 1, as they are shown. */
function fieldIn(text: string): string {
  const names = text.split('.');
  if (names.some((name) => /^0+$/.test(name))) {
    throw wrongUsage(`--set: the entries of a list are counted from 1, so ${text} names none.`);
  }
  return names.map((name) => (/^\d+$/.test(name) ? String(Number(name) - 1) : name)).join('.');
}

/**
 * The edits that the `--set` flags request, and a sentence for each that would change nothing. A value is JSON
 * if it is JSON that fits, otherwise the text as typed. Throws `usage` for the first edit that is refused;
 * nothing is written here.
 */
export function editsOf(
  settings: readonly SetFlag[],
  files: PlanFiles,
  schemas: SchemaCheck,
): { readonly edits: readonly PlanEdit[]; readonly unchanged: readonly string[] } {
  const edits: PlanEdit[] = [];
  const unchanged: string[] = [];
  let left = files;
  for (const setting of settings) {
    const { edit, after } = applySetting(setting, left, schemas);
    if (isSame(left, after)) {
      const place = `${edit.task ?? 'plan'} ${fieldText(edit.field)}`;
      unchanged.push(`${place} already has this value, so nothing changed there.`);
    } else edits.push(edit);
    left = after;
  }
  return { edits, unchanged };
}

function isSame(one: PlanFiles, other: PlanFiles): boolean {
  const [before, after] = [one, other].map(({ plan, tasks }) => canonicalJson({ plan, tasks }));
  return before === after;
}

function applySetting(
  setting: SetFlag,
  files: PlanFiles,
  schemas: SchemaCheck,
): { readonly edit: SetEdit; readonly after: PlanFiles } {
  let why: string | null = null;
  for (const edit of readings(setting)) {
    const edited = applyEdits(files, [edit], schemas);
    if (edited.ok) return { edit, after: edited.value };
    why ??= edited.failure.message;
  }
  throw wrongUsage(`${why ?? ''} Nothing was changed.`);
}

/** Lists the ways to read a value, as JSON first. `null` always removes it; quotation marks make it a text. */
function readings({ task, field, text }: SetFlag): readonly SetEdit[] {
  const edit = { kind: 'set', task, field } as const;
  const parsed = jsonIn(text);
  const plain: SetEdit = { ...edit, value: text };
  if (parsed === undefined) return [plain];
  const json: SetEdit = { ...edit, value: parsed };
  return parsed === null ? [json] : [json, plain];
}
