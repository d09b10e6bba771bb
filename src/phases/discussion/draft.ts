import type { SolutionTask } from '../../model/proposal.ts';
import type { Estimate, Solution } from '../../model/synthesis.ts';
import type { RoundAnswer, Voice } from './support.ts';
import type { CheckedSolution } from './check-references.ts';
import { repositoryForm } from './cited-files.ts';

/** A solution before its values, rank and label are known. */
export interface Draft extends Omit<
  Solution,
  'id' | 'label' | 'rank_score' | 'feasibility' | 'effort' | 'risk' | 'preferred_by'
> {
  /** Null until it is kept in a synthesis. */
  readonly id: string | null;
  readonly estimates: Estimate[];
  readonly preferred_by: string[];
}

/** An agent’s checked solutions as drafts. Files out of the repository leave their tasks. */
export function proposedDrafts({ kind, checked, recommended }: RoundAnswer): readonly Draft[] {
  return checked.map((one) => {
    const isRecommended = kind === 'model' && one === recommended;
    const draft = proposedDraft(one, kind);
    return isRecommended ? { ...draft, preferred_by: [one.agent] } : draft;
  });
}

/** One of them, which nobody recommends. */
export function proposedDraft(checked: CheckedSolution, kind: Voice['kind']): Draft {
  const { agent, solution, claims, files } = checked;
  const { claims: _, feasibility, effort, risk, implementation_plan: plan, ...told } = solution;
  const references = [...distinctClaims(claims), ...files];
  const failed = references.filter(({ status }) => status === 'failed').length;
  const sound = references.length - failed;
  return {
    ...told,
    id: null,
    source_cli: [agent],
    implementation_plan: { ...plan, tasks: plan.tasks.map(insideOnly) },
    affected_files: files,
    claims,
    stances: [],
    preferred_by: [],
    estimates: [{ agent, kind, feasibility, effort, risk, sound, failed }],
  };
}

/** A solution of the round before as a draft to go on with. */
export function draftFrom(solution: Solution): Draft {
  const { label: _, rank_score: __, feasibility, effort, risk, ...rest } = solution;
  const known = new Set(solution.estimates?.map(({ agent }) => agent));
  const missing = solution.source_cli
    .filter((agent) => !known.has(agent))
    .map((agent) => {
      const own = distinctClaims(solution.claims.filter((claim) => claim.agent === agent));
      const failed = own.filter(({ status }) => status === 'failed').length;
      const sound = own.length - failed;
      return { agent, kind: 'model' as const, feasibility, effort, risk, sound, failed };
    });
  const { preferred_by = [], estimates = [] } = solution;
  return { ...rest, preferred_by, estimates: [...estimates, ...missing] };
}

/** Whether a model stands behind it, and not only an analyst. */
export function hasModel({ estimates }: Draft): boolean {
  return estimates.some(({ kind }) => kind === 'model');
}

function insideOnly(task: SolutionTask): SolutionTask {
  return { ...task, files: task.files.filter(({ file }) => repositoryForm(file) !== null) };
}

/** The same place cited twice proves nothing twice. */
function distinctClaims(claims: Solution['claims']): Solution['claims'] {
  return [
    ...new Map(
      claims.map((claim) => [JSON.stringify([claim.path, claim.line, claim.quote]), claim]),
    ).values(),
  ];
}
