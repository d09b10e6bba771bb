// Takes a plan from outside apart into name and tasks, by rules.
import type { NamedPlace } from '../../model/critique.ts';
import type { PlannedFile, PlanParts, ProposedSolution } from '../../model/proposal.ts';
import { oneLine } from '../../model/wording.ts';

const longestName = 120;
const longestSummary = 600;
const mostTasks = 60;

/** Turns each step into a task with the files that it names, if they exist or are created. */
export function structurePlan(text: string, places: readonly NamedPlace[]): PlanParts {
  const lines = proseOf(text);
  const prose = lines.filter(({ text: one }) => !/^\s*(?:#|[-*+] |\d+[.)] )/.test(one));
  const summary = oneLine(prose.map((one) => one.text).join(' ')).slice(0, longestSummary);
  const name = titleOf(text);
  const tasks = stepsIn(lines)
    .slice(0, mostTasks)
    .map((step, index) => ({
      id: `T${index + 1}`,
      name: nameOf(step.text),
      files: filesIn(step, places),
      depends_on: [],
      key_point: null,
    }));
  return {
    name,
    summary: summary === '' ? name : summary,
    implementation_plan: {
      // The author’s text stays whole, so that the next reader of the plan loses nothing.
      approach: text,
      tasks,
      execution_flow: tasks.map(({ id }) => id).join(' → '),
      milestones: [],
    },
  };
}

/** The first line of a plan that has a meaning. */
export function titleOf(text: string): string {
  return nameOf(proseOf(text).find((line) => nameOf(line.text) !== unnamed)?.text ?? '');
}

const unnamed = 'The plan';

/** Turns a plan into a solution that its author supports and did not rate. */
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
  /** The number of the line, from 1. */
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

/** A step with the number of its last line. */
interface PlanStep extends PlanLine {
  readonly end: number;
}

/** The ways in which a step can begin; the first one that a plan uses counts. */
const forms = [
  /^\s{0,3}[-*+]\s+\[[ xX]\]\s/,
  /^#{1,6}\s+(?:step|task|phase|schritt|aufgabe)\b|^#{1,6}\s+\d+[.)]\s|^#{1,6}\s*(?:步骤|任务)/i,
  /^\s{0,3}\d+[.)、]\s*\S/,
  /^##+\s+\S/,
  /^\s{0,1}[-*+]\s+\S/,
];

function stepsIn(lines: readonly PlanLine[]): readonly PlanStep[] {
  const last = lines.at(-1)?.at ?? 1;
  const form = forms.find((one) => lines.some(({ text }) => one.test(text)));
  const first = lines.find(({ text }) => text.trim() !== '') ?? { text: unnamed, at: 1 };
  const starts = form === undefined ? [first] : lines.filter(({ text }) => form.test(text));
  return starts.map((start, at) => ({ ...start, end: (starts[at + 1]?.at ?? last + 1) - 1 }));
}

/** The files among the places of a step that exist or are created. */
function filesIn({ at, end }: PlanStep, places: readonly NamedPlace[]): PlannedFile[] {
  const files = places.flatMap(({ kind, path, line, status, plan_line: own }) => {
    const isNamed = kind !== 'name' && own >= at && own <= end && path !== null;
    if (!isNamed || (status !== 'there' && status !== 'new')) return [];
    const action = status === 'new' ? ('create' as const) : ('modify' as const);
    return [[path, { file: path, action, ...(line !== null && { line }) }] as const];
  });
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
