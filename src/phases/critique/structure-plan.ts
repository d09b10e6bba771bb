// Takes a plan that somebody else has written apart by rules: its name, and a task for each step.
import type { NamedPlace } from '../../model/critique.ts';
import type {
  PlannedFile,
  PlanParts,
  ProposedSolution,
  SolutionTask,
} from '../../model/proposal.ts';
import { oneLine } from '../../model/wording.ts';

const longestName = 120;
const longestSummary = 600;
const mostTasks = 60;

/** Each step becomes a task with the files that it names and that are there or made. */
export function structurePlan(text: string, places: readonly NamedPlace[]): PlanParts {
  const lines = proseOf(text);
  const prose = lines.filter(({ text: one }) => !/^\s*(?:#|[-*+] |\d+[.)] )/.test(one));
  const name = titleOf(text);
  const tasks = withIds(stepsIn(lines), places);
  const summary = oneLine(prose.map((one) => one.text).join(' ')).slice(0, longestSummary);
  return {
    name,
    summary: summary === '' ? name : summary,
    implementation_plan: {
      // The words of its author stay whole: whoever goes on with it loses nothing.
      approach: text,
      tasks,
      execution_flow: tasks.map(({ id }) => id).join(' → '),
      milestones: [],
    },
  };
}

/** The first line of a plan that says something. */
export function titleOf(text: string): string {
  return nameOf(proseOf(text).find((line) => nameOf(line.text) !== unnamed)?.text ?? '');
}

const unnamed = 'The plan';

/** The solution that a plan stands for. Its author stands by it, and rated nothing. */
export function solutionOf(parts: PlanParts): ProposedSolution {
  return {
    ...parts,
    feasibility: 1,
    effort: 'medium',
    risk: 'medium',
    dependencies: { internal: [], external: [] },
    technical_concerns: [],
    pros: [],
    cons: [],
    claims: [],
  };
}

interface PlanLine {
  readonly text: string;
  /** From 1. */
  readonly at: number;
}

/** The lines outside of code blocks. */
function proseOf(text: string): readonly PlanLine[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? [] : { text: line, at: index + 1 };
  });
}

/** A step with the last of its lines. */
interface PlanStep extends PlanLine {
  readonly end: number;
}

/** The forms in which a step begins; the first one that a plan uses counts. */
const forms = [
  /^\s{0,3}[-*+]\s+\[[ xX]\]\s/,
  /^#{1,6}\s+(?:step|task|phase|schritt|aufgabe)\b|^#{1,6}\s+\d+[.)]\s|^#{1,6}\s*(?:步骤|任务)/i,
  /^\s{0,3}\d+[.)、]\s*\S/,
  /^##+\s+\S/,
  /^\s{0,1}[-*+]\s+\S/,
];

function stepsIn(lines: readonly PlanLine[]): readonly PlanStep[] {
  const last = lines.at(-1)?.at ?? 1;
  for (const form of forms) {
    const starts = lines.filter(({ text }) => form.test(text));
    if (starts.length === 0) continue;
    return starts.map((start, index) => ({
      ...start,
      end: (starts[index + 1]?.at ?? last + 1) - 1,
    }));
  }
  const first = lines.find(({ text }) => text.trim() !== '') ?? { text: unnamed, at: 1 };
  return [{ ...first, end: last }];
}

function withIds(planSteps: readonly PlanStep[], places: readonly NamedPlace[]): SolutionTask[] {
  return planSteps.slice(0, mostTasks).map((step, index) => ({
    id: `T${index + 1}`,
    name: nameOf(step.text),
    depends_on: [],
    files: filesIn(step, places),
    key_point: null,
  }));
}

function filesIn({ at, end }: PlanStep, places: readonly NamedPlace[]): PlannedFile[] {
  const named = places.filter(
    ({ kind, plan_line: line, status }) =>
      kind !== 'name' && line >= at && line <= end && (status === 'there' || status === 'new'),
  );
  const files = named.flatMap(
    ({ path, line, status }): readonly (readonly [string, PlannedFile])[] => {
      if (path === null) return [];
      const action = status === 'new' ? 'create' : 'modify';
      return [[path, { file: path, action, ...(line === null ? {} : { line }) }]];
    },
  );
  return [...new Map(files).values()];
}

function nameOf(line: string): string {
  const plain = oneLine(line)
    .replace(/^(?:#+|[-*+]|\d+[.)、])\s*/, '')
    .replace(/^\[[ xX]\]\s*/, '')
    .replaceAll(/[*_`]{1,3}/g, '')
    .trim();
  const name = plain === '' ? unnamed : plain;
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}
