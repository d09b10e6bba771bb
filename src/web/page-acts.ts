// Lists what a person can do in a page besides answering and commenting, each as a form with its effect.
import { type Block, type Parts, code, diff, documentOf } from '../model/document.ts';
import {
  type FormField,
  type FormQuestion,
  choiceField,
  choiceOf,
  textField,
} from '../model/form.ts';
import { fieldText, type PlanChange } from '../model/plan-edit.ts';
import type { PlanFiles } from '../model/plan.ts';
import { counted } from '../model/wording.ts';
import { fileDiffs } from '../phases/documents/result-document.ts';
import type { Tools } from '../phases/phase-tools.ts';
import { planChanges } from '../phases/planning/editing/plan-changes.ts';
import { editByMarkdown } from '../phases/planning/editing/plan-markdown.ts';
import type { Answers, PlanDesk } from '../workflow/view-port.ts';

/** What a page is about: each part is null until there is one. */
export interface Subject {
  readonly session: (Pick<Tools, 'folder' | 'repository'> & Partial<Pick<Tools, 'skips'>>) | null;
  readonly desk: PlanDesk | null;
  /** The question of a result. */
  readonly result: Parameters<Answers['apply']>[0] | null;
  /** The group of steps of the round that runs now. */
  readonly round: string | null;
}

/** What an act leads to: blocks to read under a title, or why it was refused; null if there is nothing to say. */
type Done =
  | { readonly title: string; readonly blocks: readonly Block[] }
  | { readonly why: string }
  | null;

/** Asks with a form first, or is done at once; `about` is the line in focus, or a place in the code. */
type Act = (
  subject: Subject,
  about: string,
) => Promise<FormQuestion<() => Promise<Done>> | NonNullable<Done>>;

export const pageActs: Readonly<Record<string, Act>> = {
  async edit({ desk }) {
    const text = (await desk?.markdown()) ?? '';
    if (desk === null || text === '') return noPlan;
    const field = textField('text', 'Save it to change the plan', {
      proposed: text,
      isNeeded: true,
    });
    return form('The plan as Markdown', [field], async (given) =>
      doneBy(await editByMarkdown(given('text'), (edit) => desk.edit(edit))),
    );
  },
  async undo({ desk }) {
    if (desk === null) return noPlan;
    return form('Undo the last edit?', [], async () => doneBy(await desk.undo()));
  },
  async versions({ desk }) {
    const { versions = [], version = 0, plan = null, tasks = [] } = (await desk?.read()) ?? {};
    if (desk === null || versions.length === 0) return { why: 'There is no earlier version yet.' };
    const choices = [...versions, version].map((one) =>
      choiceOf(String(one), `Version ${one}`, { does: one === version ? 'as it is now' : '' }),
    );
    const which = { isOpen: false, isNeeded: true } as const;
    const proposed = String(versions.at(-1));
    const to = { choices, proposed: String(version), goesWith: ['compare'], ...which };
    const fields = [
      choiceField('What to do', [
        choiceOf('compare', 'Compare', { does: 'show what changed' }),
        choiceOf('restore', 'Restore', { does: 'make it the plan again, as a new version' }),
      ]),
      textField('from', 'This version', { choices: choices.slice(0, -1), proposed, ...which }),
      textField('to', 'with', to),
    ];
    const filesOf = async (one: string): Promise<PlanFiles | null> =>
      Number(one) === version && plan !== null ? { plan, tasks } : await desk.version(Number(one));
    return form('Versions of the plan', fields, async (given) => {
      const [from, until] = [given('from'), given('to')];
      const files = await filesOf(from);
      if (files === null) return { why: `Version ${from} cannot be read.` };
      if (given('choice') === 'restore')
        return doneBy(await desk.edit({ kind: 'whole', ...files, restores: Number(from) }));
      const after = await filesOf(until);
      if (after === null) return { why: `Version ${until} cannot be read.` };
      const changes = planChanges(files, after);
      const title = `From version ${from} to ${until}: ${counted(changes.length, 'change')}`;
      return shown(title, changes.length === 0 ? [] : [diff('plan.md', changesText(changes))]);
    });
  },
  async drop({ desk }, about) {
    const { plan } = (await desk?.read()) ?? { plan: null };
    const id = plan?.proofs?.find((one) => about.split('.').includes(one.id))?.id;
    if (desk === null || id === undefined) return { why: 'Choose the line of a proof first.' };
    return form(`Drop ${id}?`, [textField('text', 'Why?', { isNeeded: true })], async (given) =>
      doneBy(await desk.edit({ kind: 'set', task: id, field: 'dropped', value: given('text') })),
    );
  },
  async changes({ result }) {
    const changed = result?.result.tasks.filter(({ commit }) => commit !== null) ?? [];
    if (result === null || changed.length === 0)
      return { why: 'No task has changed anything yet.' };
    const tasks = changed.map(({ task, title }) => choiceOf(task, task, { does: title }));
    return form('The changes of a task', [choiceField('Task', tasks)], async (given) => {
      const files = fileDiffs(await result.readChanges(given('choice')), result.review);
      return shown(`Changes of ${given('choice')}`, files);
    });
  },
  async decide({ session, round }) {
    const { skips } = session ?? {};
    if (skips === undefined || round === null) return { why: 'No round is running.' };
    const lines = ['The agents that are at work are ended; what was answered so far counts.'];
    return form('Decide now?', [], async () => (skips.skip(round), null), lines);
  },
  async code({ session }, place) {
    const [, path = '', line = ''] = /^(.+):(\d+)$/.exec(place) ?? [];
    const text = (await session?.repository.read(path)) ?? null;
    if (text === null) return { why: `${path} is not in the code as it was at the beginning.` };
    const first = Math.max(0, Number(line) - 4);
    const rows = text.split('\n').slice(first, first + 8);
    const numbered = rows.map(
      (row, at) => `${String(first + at + 1).padStart(5)}  ${row.slice(0, 500)}`,
    );
    return shown(place, [code(numbered.join('\n'))]);
  },
};

const noPlan = { why: 'There is no plan that could be edited.' };

function form(
  asks: string,
  fields: readonly FormField[],
  run: (text: (field: string) => string) => Promise<Done>,
  lines: readonly string[] = [],
): FormQuestion<() => Promise<Done>> {
  return {
    form: { kind: 'choose', name: asks, asks, lines: [...lines], fields: [...fields], skip: null },
    answer:
      ({ text }) =>
      () =>
        run(text),
  };
}

type Changed = Awaited<ReturnType<PlanDesk['edit']>>;

function doneBy(changed: Changed): Done {
  return changed.ok ? null : { why: changed.failure.message };
}

function shown(title: string, blocks: Parts): NonNullable<Done> {
  return { title, blocks: documentOf(title, blocks).blocks };
}

/** Writes changes of a plan as a diff. */
function changesText(changes: readonly PlanChange[]): string {
  return changes
    .flatMap(({ task, field, before, after }) => [
      `@@ ${task ?? 'plan'} ${fieldText(field)}`,
      ...(before === null ? [] : [`-${before}`]),
      ...(after === null ? [] : [`+${after}`]),
    ])
    .join('\n');
}
