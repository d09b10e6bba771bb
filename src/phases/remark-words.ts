// Puts remarks of examiners into words: who answered them, their state, and how the plan treats them.
import type { ContextPackage, PackagedRemark } from '../model/context-package.ts';
import type { PlanFiles } from '../model/plan.ts';
import type { Remark } from '../model/synthesis.ts';
import { clause, listed } from '../model/wording.ts';

/**
 * Puts the replies to a remark into one clause each, in which the remark is called `name`. For the remark’s own
 * authors, only additions made when they repeated it are included.
 */
export function replyClauses(
  { agents, replies = [] }: Pick<Remark, 'agents' | 'replies'>,
  name = 'it',
): readonly string[] {
  const isOwn = (agent: string) => agents.includes(agent);
  return replies
    .filter(
      ({ agent, verdict, why }) => !isOwn(agent) || (verdict === 'holds' && why.trim() !== ''),
    )
    .map(({ agent, verdict, why }) => {
      if (isOwn(agent)) return `${agent} adds: ${clause(why)}`;
      const found = { holds: `that ${name} holds`, met: `${name} met`, wrong: `${name} wrong` };
      const reason = why.trim() === '' ? '' : `: ${clause(why)}`;
      return `${agent} finds ${found[verdict]}${reason}`;
    });
}

export function remarkStateText(state: Remark['state'] | null): string {
  switch (state) {
    case 'met':
      return 'met by a revision';
    case 'revised':
      return 'the solution was revised since';
    case 'withdrawn':
      return 'withdrawn since';
    case 'open':
    case null:
      return 'open';
  }
}

/** The remarks that a plan has to answer: all except notes. */
export function remarksToAnswer({ remarks = [] }: ContextPackage): readonly PackagedRemark[] {
  return remarks.filter(({ kind }) => kind !== 'note');
}

export const noAnswer = 'The plan does not answer it.';

/** Names the tasks and decisions of the plan that refer to a remark, in sentences. */
export function outcomeTexts(
  { id, state }: PackagedRemark,
  { plan, tasks }: PlanFiles,
): readonly string[] {
  const settling = tasks.filter(({ answers = [] }) => answers.includes(id)).map((task) => task.id);
  const decided = (plan.design_decisions ?? []).filter(({ answers = [] }) => answers.includes(id));
  const by = [
    ...(settling.length === 0 ? [] : [`Done in ${listed(settling)}.`]),
    ...decided.map(({ decision }) => `Decided: ${decision}`),
  ];
  if (by.length > 0) return by;
  if (state === 'met') return ['The solution meets it.'];
  return [state === 'withdrawn' ? 'It was withdrawn.' : noAnswer];
}
