// Answers for the gate of a host if more than the check of places is wanted: a question, or other vendors.
import { examinePlan, readCritique, usualCritique } from '../app/examine-plan.ts';
import type { Workplace } from '../app/workplace.ts';
import { textLines } from '../faces/document-text.ts';
import { usualText } from '../faces/short-forms.ts';
import type { Critique } from '../model/critique.ts';
import { critiqueBlocks, verdictText } from '../phases/documents/critique-document.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { answersOr } from '../workflow/view-port.ts';
import type { HostPlan } from './host-plan.ts';

/** The longest examination, in ms: a host waits this long. */
const longest = 180_000;

const refuse = () => Promise.reject(new Error('a critique asks nothing'));

/** The answer of the gate. */
export interface GateAnswer {
  /** The reason why the plan should be changed first; null if it passes. */
  readonly denial: string | null;
  /** A note that is shown to the person. */
  readonly note: string | null;
  /** The list in which the plan is remembered; null for none. */
  readonly as: 'denied' | 'passed' | 'asked' | null;
}

/** Has other vendors examine the plan. Rejects if none could examine it in time. */
export async function answerByOthers(host: HostPlan, workplace: Workplace): Promise<GateAnswer> {
  return answerOf(await examine(host, workplace));
}

/** Has the host’s model ask the person whether others should examine the plan, because a hook cannot ask. */
export async function askThePerson(
  { canAsk, vendor }: HostPlan,
  workplace: Workplace,
): Promise<GateAnswer> {
  if (!canAsk) {
    const note =
      'critique.hook is "ask", but nobody can be asked here, so Conclave checked the places of the plan only. To examine it: conclave critique';
    return { denial: null, note, as: 'asked' };
  }
  const denial = [
    'Conclave found no wrong place in this plan. Other vendors can examine it, too.',
    usualText(await usualCritique(workplace, vendor)),
    'Ask the user now whether they want that, and tell them what it costs. If they do, call the conclave tool critique_plan with the whole plan; if they do not, show the plan again unchanged: it passes.',
  ].join('\n');
  return { denial, note: null, as: 'asked' };
}

async function examine({ plan, vendor }: HostPlan, workplace: Workplace): Promise<Critique> {
  const ended: { folder: SessionFolder | null } = { folder: null };
  const given = { text: plan, host_vendor: vendor, parts: null, revise: false, plan: false };
  const end = await examinePlan({
    ...workplace,
    task: '',
    given,
    signal: AbortSignal.timeout(longest),
    now: () => new Date(),
    view(folder) {
      ended.folder = folder;
      return { ...answersOr(refuse, {}), show: () => undefined };
    },
  });
  const critique = ended.folder === null ? null : await readCritique(ended.folder);
  if (critique === null) throw new Error(end.message);
  return critique;
}

/** Answers the host; a plan that passes still comes with its unproven objections. */
function answerOf(critique: Critique): GateAnswer {
  const [, ...told] = critiqueBlocks(critique);
  const lines = textLines(told);
  if (critique.verdict !== 'revise') {
    const head = `Conclave had other vendors examine the plan. It is ${verdictText(critique)}`;
    return { denial: null, note: [head, ...lines].join('\n'), as: 'passed' };
  }
  const head =
    'Conclave had other vendors examine this plan. Meet what is marked ✗, or answer it in the plan; if it is shown again unchanged, it passes.';
  return { denial: [head, ...lines].join('\n'), note: null, as: 'denied' };
}
