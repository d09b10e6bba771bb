import { z } from 'zod';
import { jsonIn } from '../model/json.ts';
import { Stopped } from '../model/failure.ts';
import type { PlanEdit } from '../model/plan-edit.ts';
import { applyEdits } from '../phases/planning/editing/apply-edit.ts';
import type { PlanFiles } from '../phases/planning/editing/plan-files.ts';
import { canonicalJson } from '../store/digest.ts';
import type { SchemaCheck } from '../store/published-schemas.ts';
import type { Setting } from './review-flags.ts';

type SetEdit = Extract<PlanEdit, { kind: 'set' }>;

/**
 * The edits that `--set` means, and a sentence for each that would change nothing. A value is JSON
 * if it is JSON that fits, else the text as it was typed. Throws `usage` for the first one that is
 * refused; nothing is written here.
 */
export function editsOf(
  settings: readonly Setting[],
  files: PlanFiles,
  schemas: SchemaCheck,
): { readonly edits: readonly PlanEdit[]; readonly unchanged: readonly string[] } {
  const edits: PlanEdit[] = [];
  const unchanged: string[] = [];
  let left = files;
  for (const setting of settings) {
    const { edit, after } = fitting(setting, left, schemas);
    if (isSame(left, after)) {
      const place = `${edit.task ?? 'plan'} ${edit.field}`;
      unchanged.push(`${place} already has this value; nothing was changed there.`);
    } else edits.push(edit);
    left = after;
  }
  return { edits, unchanged };
}

function isSame(one: PlanFiles, other: PlanFiles): boolean {
  const [before, after] = [one, other].map(({ plan, tasks }) => canonicalJson({ plan, tasks }));
  return before === after;
}

function fitting(
  setting: Setting,
  files: PlanFiles,
  schemas: SchemaCheck,
): { readonly edit: SetEdit; readonly after: PlanFiles } {
  let why: string | null = null;
  for (const edit of readings(setting)) {
    const edited = applyEdits(files, [edit], schemas);
    if (edited.ok) return { edit, after: edited.value };
    why ??= edited.failure.message;
  }
  throw new Stopped({ reason: 'usage', message: `${why ?? ''} Nothing was changed.` });
}

/** `null` always takes out; the text "null" can be given in quotation marks. */
function readings({ task, field, text }: Setting): readonly SetEdit[] {
  const edit = { kind: 'set', task, field } as const;
  const parsed = jsonIn(text);
  const plain: SetEdit = { ...edit, value: text };
  if (parsed === undefined) return [plain];
  const value = z.json().parse(parsed);
  return value === null ? [{ ...edit, value }] : [{ ...edit, value }, plain];
}
