// Lists what a person can do in a page, each as a form with its effect.
import { type Document, code, documentOf } from '../model/document.ts';
import type { PageFacts } from '../faces/web/page-parts.tsx';
import {
  type FormField,
  type FormQuestion,
  choiceField,
  choiceOf,
  textField,
} from '../model/form.ts';
import { proofAt } from '../phases/documents/proof-section.ts';
import { fileDiffs } from '../phases/documents/result-document.ts';
import type { Tools } from '../phases/phase-tools.ts';
import { commentAt } from '../phases/planning/comments.ts';
import { editByMarkdown } from '../phases/planning/editing/plan-markdown.ts';
import { compareVersions } from '../phases/planning/plan-desk.ts';
import { proofFile } from '../phases/proof/proof-files.ts';
import type { Answers, PlanDesk, PlanOnDesk } from '../workflow/view-port.ts';
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
    readonly make: () => Promise<FormQuestion<Promise<undefined>>>;
  } | null;
}

export const emptySubject: Subject = {
  session: null,
  desk: null,
  result: null,
  round: null,
  question: null,
};

/** What an act leads to: something to read, or the plan as it left it. */
export type ActReply = Document | PlanOnDesk | undefined;

/** Asks with a form, or gives something to read at once; `about` is a line or a place. */
type Act = (
  seen: Subject & {
    readonly shown: PageFacts;
    /** The plan as it was read last. */
    readonly plan: PlanOnDesk | null;
  },
  about: string,
) => Promise<ActForm | ActReply>;

type ActForm = FormQuestion<Promise<ActReply>>;

export const pageActs: Readonly<Record<string, Act>> = {
  async answer({ question }, about) {
    if (String(question?.id) !== about || question === null)
      throw new Refused('This question is not open any more.', 409);
    return await question.make();
  },
  /** Saves a comment at once, on the result while that is asked about, else on the plan. */
  async comment({ desk, result, shown }, anchor) {
    const keep = result?.comment ?? desk?.comment;
    if (keep === undefined) throw new Refused('Nothing is asked that a comment could answer.', 409);
    const comment = commentAt(anchor, shown);
    const field = textField('text', 'Your comment', { proposed: comment.text });
    return form(comment.quote ?? 'The whole', [field], ({ text }) =>
      keep({ ...comment, text: text('text') }).then(() => undefined),
    );
  },
  /** Edits the code of a proof on its line, else the plan as Markdown. */
  edit: ofPlan(async (desk, { plan }, about) => {
    const proof = proofAt(plan, about);
    const file = proof && proofFile(proof);
    const proposed = file === undefined ? await desk.markdown() : await desk.text(file);
    const [asks, means] =
      proof === undefined
        ? ['The plan as Markdown', 'Save it to change the plan']
        : [`The code of ${proof.id}`, 'Once you save it, it runs at the base before an approval'];
    const field = textField('text', means, { proposed, isNeeded: true });
    return form(asks, [field], async ({ text }) =>
      taken(
        file === undefined
          ? await editByMarkdown(text('text'), desk.edit)
          : await desk.replace(file, `${text('text')}\n`),
      ),
    );
  }),
  undo: ofPlan(async (desk) => taken(await desk.undo())),
  versions: ofPlan(async (desk, { versions, version: now }) => {
    const last = versions.at(-1);
    if (last === undefined) throw new Refused('There is no earlier version yet.');
    const choices = [...versions, now].map((one) =>
      choiceOf(String(one), `Version ${one}`, { does: one === now ? 'as it is now' : '' }),
    );
    const which = (name: string, asks: string, more: Partial<FormField>) =>
      textField(name, asks, { choices, isOpen: false, isNeeded: true, ...more });
    const fields = [
      choiceField('What to do', [
        choiceOf('compare', 'Compare', { does: 'show what changed' }),
        choiceOf('restore', 'Restore', { does: 'make it the plan again, as a new version' }),
      ]),
      which('from', 'This version', { proposed: String(last) }),
      which('to', 'with', { proposed: String(now), goesWith: ['compare'] }),
    ];
    return form('Versions of the plan', fields, async ({ text }) => {
      const from = Number(text('from'));
      const found =
        text('choice') === 'compare'
          ? await compareVersions(desk, from, Number(text('to')))
          : await desk.version(from);
      if (found === null) throw new Refused('This version cannot be read.');
      if ('blocks' in found) return found;
      return taken(await desk.edit({ kind: 'whole', ...found, restores: from }));
    });
  }),
  drop: ofPlan(async (desk, { plan }, about) => {
    const id = proofAt(plan, about)?.id;
    if (id === undefined) throw new Refused('Choose the line of a proof first.');
    return form(`Drop ${id}?`, [textField('text', 'Why?', { isNeeded: true })], async ({ text }) =>
      taken(await desk.edit({ kind: 'set', task: id, field: 'dropped', value: text('text') })),
    );
  }),
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
    const skips = session?.skips;
    if (skips === undefined || round === null) throw new Refused('No round is running.');
    const lines = ['The agents that are at work are ended; what was answered so far counts.'];
    const decide = async () => {
      skips.skip(round);
      return undefined;
    };
    return form('Decide now?', [], decide, lines);
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

/** An act on a plan that can be read. */
function ofPlan(
  act: (desk: PlanDesk, seen: PlanOnDesk, about: string) => Promise<ActForm | ActReply>,
): Act {
  return async ({ desk, plan: seen }, about) => {
    if (desk === null || seen === null || seen.plan === null)
      throw new Refused('There is no plan that could be edited.');
    return await act(desk, seen, about);
  };
}

function form(
  asks: string,
  fields: readonly FormField[],
  answer: ActForm['answer'],
  lines: readonly string[] = [],
): ActForm {
  const own = { name: asks, asks, lines: [...lines], fields: [...fields], skip: null };
  return { form: { kind: 'choose', ...own }, answer };
}

function taken(changed: Awaited<ReturnType<PlanDesk['edit']>>): PlanOnDesk {
  if (changed.ok) return changed.value;
  throw new Refused(changed.failure.message);
}
