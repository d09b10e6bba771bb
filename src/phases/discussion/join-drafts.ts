import type { SolutionTask } from '../../model/proposal.ts';
import type { Solution } from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { unitedTexts } from '../topic-words.ts';
import { type Draft, jointEstimate, soundness } from './draft.ts';
import { distinct } from './support.ts';

/**
 * Joins solutions of different agents that mean the same. Name, summary and approach come whole
 * from the one with the soundest references, then the highest feasibility. Its tasks take in the
 * files that only the others touch; lists are united.
 */
export function joinDrafts(drafts: readonly Draft[]): Draft {
  const [base, ...others] = drafts.toSorted(bySupport);
  if (base === undefined) throw new Error('there is nothing to join');
  const sorted = [base, ...others];
  const plan = base.implementation_plan;
  const tasks = joinedTasks(base, others);
  const added = tasks.slice(plan.tasks.length).map(({ id }) => id);
  return {
    ...base,
    source_cli: [...distinct(sorted.flatMap(({ source_cli }) => source_cli))],
    implementation_plan: {
      ...plan,
      tasks,
      execution_flow: [plan.execution_flow, ...added].filter((part) => part !== '').join(' → '),
    },
    dependencies: {
      internal: unitedTexts(sorted.map(({ dependencies }) => dependencies.internal)),
      external: unitedTexts(sorted.map(({ dependencies }) => dependencies.external)),
    },
    technical_concerns: unitedTexts(sorted.map((draft) => draft.technical_concerns)),
    pros: unitedTexts(sorted.map(({ pros }) => pros)),
    cons: unitedTexts(sorted.map(({ cons }) => cons)),
    affected_files: others.reduce(unitedFiles, base.affected_files),
    claims: sorted.flatMap(({ claims }) => claims),
    preferred_by: [...distinct(sorted.flatMap((draft) => draft.preferred_by))],
    estimates: byAgent(sorted.flatMap(({ estimates }) => estimates)),
  };
}

/**
 * A solution of the round before in the words of its revisions. It keeps its id, the stances on it,
 * and the claims and estimates of co-authors who did not revise it.
 */
export function revisedDraft(draft: Draft, revisions: readonly Draft[]): Draft {
  if (revisions.length === 0) return draft;
  const revision = joinDrafts(revisions);
  const isOthers = ({ agent }: { readonly agent: string }) => !revision.source_cli.includes(agent);
  return {
    ...revision,
    id: draft.id,
    stances: draft.stances,
    source_cli: [...distinct([...draft.source_cli, ...revision.source_cli])],
    claims: [...revision.claims, ...draft.claims.filter(isOthers)],
    estimates: byAgent([...revision.estimates, ...draft.estimates.filter(isOthers)]),
  };
}

function bySupport(a: Draft, b: Draft): number {
  return (
    soundness(b.estimates) - soundness(a.estimates) ||
    jointEstimate(b.estimates).feasibility - jointEstimate(a.estimates).feasibility ||
    compareTexts(JSON.stringify([a.source_cli, a.name]), JSON.stringify([b.source_cli, b.name]))
  );
}

function byAgent<T extends { readonly agent: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => compareTexts(a.agent, b.agent));
}

type Files = Solution['affected_files'];

/** The files of one solution, and those of another that it does not name. */
function unitedFiles(files: Files, { affected_files: others }: Draft): Files {
  const known = new Set(files.map(({ file }) => file));
  return [...files, ...others.filter(({ file }) => !known.has(file))];
}

/**
 * The tasks of `base` with the files that only the others touch, but those whose reference failed.
 * A file goes to the task of `base` that shares another file with the task it comes from; where
 * there is none, that task is appended, after all tasks of `base`.
 */
function joinedTasks(base: Draft, others: readonly Draft[]): SolutionTask[] {
  const own = base.implementation_plan.tasks;
  const tasks = own.map((task) => ({ ...task, files: [...task.files] }));
  for (const other of others) {
    const failed = other.affected_files.filter(({ status }) => status === 'failed');
    const known = new Set(failed.map(({ file }) => file));
    for (const task of other.implementation_plan.tasks) {
      for (const { files } of tasks) for (const { file } of files) known.add(file);
      const added = task.files.filter(({ file }) => !known.has(file));
      if (added.length === 0) continue;
      const home = tasks.find(({ files }) => files.some((one) => isAmong(one, task.files)));
      if (home !== undefined) home.files.push(...added);
      else {
        const depends_on = own.map(({ id }) => id);
        tasks.push({ ...task, id: nextId(tasks), depends_on, files: added });
      }
    }
  }
  return tasks;
}

function isAmong({ file }: { readonly file: string }, files: SolutionTask['files']): boolean {
  return files.some((other) => other.file === file);
}

function nextId(tasks: readonly SolutionTask[]): string {
  return `T${Math.max(0, ...tasks.map(({ id }) => Number(id.slice(1)))) + 1}`;
}
