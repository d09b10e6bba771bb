// Lists what a person can do in a page, each as a form with its effect.
import { type Document, code, diff, documentOf } from '../model/document.ts';
import type { PageParts } from '../faces/web/page-parts.ts';
import {
  type Form,
  type FormField,
  type FormQuestion,
  choiceField,
  choiceOf,
  textField,
} from '../model/form.ts';
import { fieldText, type PlanChange } from '../model/plan-edit.ts';
import type { PlanFiles } from '../model/plan.ts';
import { counted } from '../model/wording.ts';
import { proofAt } from '../phases/documents/proof-section.ts';
import { fileDiffs } from '../phases/documents/result-document.ts';
import type { Tools } from '../phases/phase-tools.ts';
import { lineAt, taskOf } from '../phases/planning/comments.ts';
import { planChanges } from '../phases/planning/editing/plan-changes.ts';
import { editByMarkdown } from '../phases/planning/editing/plan-markdown.ts';
import { proofFile } from '../phases/proof/proof-files.ts';
import type { Answers, PlanDesk } from '../workflow/view-port.ts';
import { Refused } from './page-server.ts';

/** What a page is about: each part is null or empty until there is one. */
export interface Subject {
  readonly session: (Pick<Tools, 'folder' | 'repository'> & Partial<Pick<Tools, 'skips'>>) | null;
  readonly desk: PlanDesk | null;
  /** The question of a result. */
  readonly result: Parameters<Answers['apply']>[0] | null;
  /** The group of steps of the round that runs now. */
  readonly round: string | null;
  /** The question that waits for its answer; its form is made anew for each look at it. */
  readonly question: {
    readonly id: number;
    readonly form: Form;
    readonly make: () => Promise<FormQuestion<Promise<unknown>>>;
  } | null;
  /** The ids of the tasks. */
  readonly ids: readonly string[];
}

export const emptySubject: Subject = {
  session: null,
  desk: null,
  result: null,
  round: null,
  question: null,
  ids: [],
};

/** Asks with a form, which may lead to something to read, or gives that at once; `about` is a line or a place. */
type Act = (
  subject: Subject & { readonly shown: PageParts },
  about: string,
) => Promise<FormQuestion<Promise<unknown>> | Document>;

export const pageActs: Readonly<Record<string, Act>> = {
  async answer({ question }, about) {
    if (String(question?.id) !== about || question === null)
      throw new Refused('This question is not open any more.', 409);
    return await question.make();
  },
  /** Saves a comment at once, on the result while that is asked about, else on the plan. */
  async comment({ desk, result, ids, shown: { document, comments } }, anchor) {
    if (result === null && desk === null)
      throw new Refused('Nothing is asked that a comment could answer.', 409);
    const quote = lineAt(document, anchor);
    const old = comments.find((one) => one.sent === null && (one.anchor ?? '') === anchor);
    const field = textField('text', 'Your comment', { proposed: old?.text ?? null });
    return form(quote ?? 'The whole', [field], async ({ text }) => {
      const line = anchor === '' ? {} : { anchor, ...(quote !== undefined && { quote }) };
      const own = { ...line, text: text('text'), task: taskOf(anchor, ids) };
      const comment = old === undefined ? own : { ...own, id: old.id };
      await (result?.comment?.(comment) ?? desk?.comment(comment));
    });
  },
  /** Edits the code of a proof on its line, else the plan as Markdown. */
  async edit({ desk }, about) {
    if (desk === null) throw noPlan();
    const proof = proofAt((await desk.read()).plan, about);
    const file = proof && proofFile(proof);
    const proposed = file === undefined ? await desk.markdown() : await desk.text(file);
    if (proposed === '') throw noPlan();
    const [asks, means] =
      proof === undefined
        ? ['The plan as Markdown', 'Save it to change the plan']
        : [`The code of ${proof.id}`, 'Once you save it, it runs at the base before an approval'];
    const field = textField('text', means, { proposed, isNeeded: true });
    return form(asks, [field], async ({ text }) =>
      taken(
        file === undefined
          ? await editByMarkdown(text('text'), (edit) => desk.edit(edit))
          : await desk.replace(file, `${text('text')}\n`),
      ),
    );
  },
  async undo({ desk }) {
    if (desk === null) throw noPlan();
    return form('Undo the last edit?', [], async () => taken(await desk.undo()));
  },
  async versions({ desk }) {
    const { versions = [], version = 0, plan = null, tasks = [] } = (await desk?.read()) ?? {};
    if (desk === null || versions.length === 0)
      throw new Refused('There is no earlier version yet.');
    const choices = [...versions, version].map((one) =>
      choiceOf(String(one), `Version ${one}`, { does: one === version ? 'as it is now' : '' }),
    );
    const which = (name: string, asks: string, more: Partial<FormField>) =>
      textField(name, asks, { choices, isOpen: false, isNeeded: true, ...more });
    const fields = [
      choiceField('What to do', [
        choiceOf('compare', 'Compare', { does: 'show what changed' }),
        choiceOf('restore', 'Restore', { does: 'make it the plan again, as a new version' }),
      ]),
      which('from', 'This version', { proposed: String(versions.at(-1)) }),
      which('to', 'with', { proposed: String(version), goesWith: ['compare'] }),
    ];
    const filesOf = async (one: string): Promise<PlanFiles> => {
      const isNow = Number(one) === version && plan !== null;
      const files = isNow ? { plan, tasks } : await desk.version(Number(one));
      if (files === null) throw new Refused(`Version ${one} cannot be read.`);
      return files;
    };
    return form('Versions of the plan', fields, async ({ text }) => {
      const [from, to] = [text('from'), text('to')];
      const files = await filesOf(from);
      if (text('choice') === 'restore')
        return taken(await desk.edit({ kind: 'whole', ...files, restores: Number(from) }));
      const changes = planChanges(files, await filesOf(to));
      const title = `From version ${from} to ${to}: ${counted(changes.length, 'change')}`;
      return documentOf(title, changes.length === 0 ? [] : [diff('plan.md', changesText(changes))]);
    });
  },
  async drop({ desk }, about) {
    const id = proofAt((await desk?.read())?.plan ?? null, about)?.id;
    if (desk === null || id === undefined) throw new Refused('Choose the line of a proof first.');
    return form(`Drop ${id}?`, [textField('text', 'Why?', { isNeeded: true })], async ({ text }) =>
      taken(await desk.edit({ kind: 'set', task: id, field: 'dropped', value: text('text') })),
    );
  },
  async changes({ result }) {
    const changed = result?.result.tasks.filter(({ commit }) => commit !== null) ?? [];
    if (result === null || changed.length === 0)
      throw new Refused('No task has changed anything yet.');
    const tasks = changed.map(({ task, title }) => choiceOf(task, task, { does: title }));
    return form('The changes of a task', [choiceField('Task', tasks)], async ({ text }) => {
      const files = fileDiffs(await result.readChanges(text('choice')), result.review);
      return documentOf(`Changes of ${text('choice')}`, files);
    });
  },
  async decide({ session, round }) {
    if (session?.skips === undefined || round === null) throw new Refused('No round is running.');
    const { skips } = session;
    const lines = ['The agents that are at work are ended; what was answered so far counts.'];
    return form('Decide now?', [], async () => skips.skip(round), lines);
  },
  async code({ session }, place) {
    const [, path = '', line = ''] = /^(.+):(\d+)$/.exec(place) ?? [];
    const text = (await session?.repository.read(path)) ?? null;
    if (text === null) throw new Refused(`${path} is not in the code as it was at the beginning.`);
    const first = Math.max(0, Number(line) - 4);
    const rows = text.split('\n').slice(first, first + 8);
    const numbered = rows.map(
      (row, at) => `${String(first + at + 1).padStart(5)}  ${row.slice(0, 500)}`,
    );
    return documentOf(place, [code(numbered.join('\n'))]);
  },
};

const noPlan = () => new Refused('There is no plan that could be edited.');

function form(
  asks: string,
  fields: readonly FormField[],
  answer: FormQuestion<Promise<unknown>>['answer'],
  lines: readonly string[] = [],
): FormQuestion<Promise<unknown>> {
  const own = { name: asks, asks, lines: [...lines], fields: [...fields], skip: null };
  return { form: { kind: 'choose', ...own }, answer };
}

function taken(changed: Awaited<ReturnType<PlanDesk['edit']>>): undefined {
  if (!changed.ok) throw new Refused(changed.failure.message);
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
