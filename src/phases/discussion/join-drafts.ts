import type { SolutionTask } from '../../model/proposal.ts';
import type { Estimate, Solution } from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { unitedTexts } from '../topic-words.ts';
import { type Draft, hasModel } from './draft.ts';
import { soundness } from './estimates.ts';

/**
 * Joins solutions that mean the same. Name, summary and approach come whole from the best
 * supported one: a model’s before an analyst’s, then the one with the soundest references, the
 * most sound ones, the highest feasibility, the first agent by name. Its tasks take in the files
 * of the others; lists are united. `first` puts some of the drafts before all others, as the
 * revisions of a round come before what they revise.
 */
export function joinDrafts({
  drafts,
  first = [],
}: {
  readonly drafts: readonly Draft[];
  readonly first?: readonly Draft[];
}): Draft {
  const sorted = [...first.toSorted(bySupport), ...drafts.toSorted(bySupport)];
  const [base, ...others] = sorted;
  if (base === undefined) throw new Error('there is nothing to join');
  const plan = base.implementation_plan;
  const { tasks, appended } = joinTasks(base, others);
  return {
    ...base,
    id: sorted.map(({ id }) => id).find((id) => id !== null) ?? null,
    source_cli: [...new Set(sorted.flatMap((draft) => draft.source_cli))].toSorted(),
    implementation_plan: {
      ...plan,
      tasks,
      execution_flow: [plan.execution_flow, ...appended].filter((part) => part !== '').join(' → '),
    },
    dependencies: {
      internal: unitedTexts(sorted.map(({ dependencies }) => dependencies.internal)),
      external: unitedTexts(sorted.map(({ dependencies }) => dependencies.external)),
    },
    technical_concerns: unitedTexts(sorted.map((draft) => draft.technical_concerns)),
    pros: unitedTexts(sorted.map(({ pros }) => pros)),
    cons: unitedTexts(sorted.map(({ cons }) => cons)),
    affected_files: unitedFiles(sorted),
    claims: unitedClaims(sorted),
    stances: sorted.flatMap(({ stances }) => stances),
    preferred_by: [...new Set(sorted.flatMap((draft) => draft.preferred_by))].toSorted(
      compareTexts,
    ),
    estimates: sorted.flatMap(({ estimates }) => estimates).toSorted(byAgent),
  };
}

function bySupport(a: Draft, b: Draft): number {
  return (
    Number(hasModel(b)) - Number(hasModel(a)) ||
    soundness(b.estimates) - soundness(a.estimates) ||
    soundCount(b) - soundCount(a) ||
    highest(b) - highest(a) ||
    compareTexts(a.source_cli.join(), b.source_cli.join()) ||
    compareTexts(a.name, b.name)
  );
}

function soundCount({ estimates }: Draft): number {
  return estimates.reduce((total, { sound }) => total + sound, 0);
}

function highest({ estimates }: Draft): number {
  return Math.max(0, ...estimates.map(({ feasibility }) => feasibility));
}

/** Each file, line and action once, with its best status; no bare file beside one with a line. */
function unitedFiles(drafts: readonly Draft[]): Solution['affected_files'] {
  const all = drafts.flatMap((draft) => draft.affected_files);
  const best = new Map<string, Solution['affected_files'][number]>();
  for (const entry of all) {
    const key = JSON.stringify([entry.file, entry.line, entry.action]);
    const known = best.get(key);
    if (known === undefined || (known.status === 'failed' && entry.status !== 'failed')) {
      best.set(key, entry);
    }
  }
  const entries = [...best.values()];
  const lined = new Set(entries.filter(({ line }) => line !== null).map(placeless));
  return entries.filter((entry) => entry.line !== null || !lined.has(placeless(entry)));
}

function placeless({ file, action, status }: Solution['affected_files'][number]): string {
  return JSON.stringify([file, action, status]);
}

function unitedClaims(drafts: readonly Draft[]): Solution['claims'] {
  const claims = drafts.flatMap((draft) => draft.claims);
  const keyed = claims.map((claim) => {
    const { agent, path, line, quote, statement } = claim;
    return [JSON.stringify([agent, path, line, quote, statement]), claim] as const;
  });
  return [...new Map(keyed).values()];
}

function byAgent(a: Estimate, b: Estimate): number {
  return compareTexts(a.agent, b.agent);
}

/**
 * The tasks of `base` with the files that only the others touch. A file goes to the task of `base`
 * that shares another file with the task it comes from; where there is none, that task is appended
 * under the next free id. Files whose reference failed are not taken over.
 */
function joinTasks(
  base: Draft,
  others: readonly Draft[],
): { readonly tasks: SolutionTask[]; readonly appended: readonly string[] } {
  const tasks = base.implementation_plan.tasks.map((task) => ({ ...task, files: [...task.files] }));
  const own = tasks.length;
  for (const other of others) takeOver(tasks, other);
  return { tasks, appended: tasks.slice(own).map(({ id }) => id) };
}

function takeOver(tasks: SolutionTask[], other: Draft): void {
  const homes = new Map<string, string>();
  const sound = new Set(
    other.affected_files.filter(({ status }) => status !== 'failed').map(({ file }) => file),
  );
  for (const task of other.implementation_plan.tasks) {
    const known = new Set(tasks.flatMap(({ files }) => files.map(({ file }) => file)));
    const added = task.files.filter(({ file }) => sound.has(file) && !known.has(file));
    let home = tasks.find(({ files }) =>
      files.some(({ file }) => task.files.some((one) => one.file === file)),
    );
    if (home === undefined && added.length > 0) {
      const depends_on = [...new Set(task.depends_on.flatMap((on) => homes.get(on) ?? []))];
      home = { ...task, id: nextId(tasks), depends_on, files: [] };
      tasks.push(home);
    }
    if (home === undefined) continue;
    home.files.push(...new Map(added.map((file) => [file.file, file])).values());
    homes.set(task.id, home.id);
  }
}

function nextId(tasks: readonly SolutionTask[]): string {
  return `T${Math.max(0, ...tasks.map(({ id }) => Number(id.slice(1)))) + 1}`;
}
