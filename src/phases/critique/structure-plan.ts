// Takes a plan from outside apart into name and tasks, by rules or as an agent read it.
import type { NamedPlace, StructuredPlan } from '../../model/critique.ts';
import type {
  PlannedFile,
  PlanParts,
  ProposedSolution,
  SolutionTask,
} from '../../model/proposal.ts';
import { oneLine } from '../../model/wording.ts';
import { mentionsIn } from './plan-places.ts';

const longestName = 120;
const longestSummary = 600;
const mostTasks = 60;

/** Turns each step into a task with the files that it names, if they exist or are created. */
export function structurePlan(text: string, places: readonly NamedPlace[]): PlanParts {
  const lines = proseOf(text);
  const prose = lines.filter(({ text: one }) => !/^\s*(?:#|[-*+] |\d+[.)] )/.test(one));
  const name = titleOf(text);
  const tasks = withIds(
    stepsIn(lines).map((step) => ({ name: nameOf(step.text), files: filesIn(step, places) })),
  );
  return partsOf(text, { name, summary: prose.map((one) => one.text).join(' '), tasks });
}

/** Builds the parts from an agent’s reading; of the files that it names, only those among the given places count. */
export function partsAsRead(
  { title, summary, steps }: StructuredPlan,
  { text, places }: { readonly text: string; readonly places: readonly NamedPlace[] },
): PlanParts {
  const tasks = steps.map((step) => {
    const files = new Set(step.files.map(pathNamed));
    const named = places.filter(({ path }) => path !== null && files.has(path));
    return { name: nameOf(step.name), files: filesAt(named) };
  });
  return partsOf(text, { name: nameOf(title), summary, tasks: withIds(tasks) });
}

function partsOf(
  text: string,
  { name, summary, tasks }: Pick<PlanParts, 'name' | 'summary'> & { tasks: SolutionTask[] },
): PlanParts {
  const short = oneLine(summary).slice(0, longestSummary);
  return {
    name,
    summary: short === '' ? name : short,
    implementation_plan: {
      // The author’s text stays whole, so that the next reader of the plan loses nothing.
      approach: text,
      tasks,
      execution_flow: tasks.map(({ id }) => id).join(' → '),
      milestones: [],
    },
  };
}

/** The files that an agent names for the steps of a plan and that appear in its text. */
export function filesInText({ steps }: StructuredPlan, text: string): readonly string[] {
  const named = steps.flatMap(({ files }) => files.map(pathNamed));
  return [...new Set(named)].filter((path) => path !== '' && standsIn(path, text));
}

/** A path without the line number that may follow it. */
function pathNamed(file: string): string {
  return file
    .trim()
    .replace(/^\.\//, '')
    .replace(/:\d+(?:-\d+)?$/, '');
}

/** True if the text contains the path by itself, not as a part of another one. */
function standsIn(path: string, text: string): boolean {
  const before = String.raw`(?<![\w@/-]|\w\.|\.\.)(?:\./)?`;
  const escaped = path.replace(/[^\w/]/g, '\\$&');
  return new RegExp(String.raw`${before}${escaped}(?![\w/-]|\.\w)`).test(text);
}

/** True if rules find the steps of a plan, or if it is too short to have many. */
export function isReadByRules(text: string): boolean {
  const all = text.split('\n').map((line) => Math.ceil(line.trim().length / usualWidth));
  if (all.reduce((sum, height) => sum + height, 0) <= fewLines) return true;
  const lines = proseOf(text);
  const form = formOf(lines);
  if (lines.filter((line) => form?.test(line.text)).length < 2) return false;
  // Headings that name no place may be those of chapters.
  return form !== heading || mentionsIn(text).mentions.length > 0;
}

const fewLines = 3;
/** The width of a line, in characters, by which long lines are counted as several. */
const usualWidth = 80;

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

const heading = /^##+\s+\S/;
/** The ways in which a step can begin; the first one that a plan uses counts. */
const forms = [
  /^\s{0,3}[-*+]\s+\[[ xX]\]\s/,
  /^#{1,6}\s+(?:step|task|phase|schritt|aufgabe)\b|^#{1,6}\s+\d+[.)]\s|^#{1,6}\s*(?:步骤|任务)/i,
  /^\s{0,3}\d+[.)、]\s*\S/,
  heading,
  /^\s{0,1}[-*+]\s+\S/,
];

function stepsIn(lines: readonly PlanLine[]): readonly PlanStep[] {
  const last = lines.at(-1)?.at ?? 1;
  const form = formOf(lines);
  if (form !== undefined) {
    const starts = lines.filter(({ text }) => form.test(text));
    return starts.map((start, index) => ({
      ...start,
      end: (starts[index + 1]?.at ?? last + 1) - 1,
    }));
  }
  const first = lines.find(({ text }) => text.trim() !== '') ?? { text: unnamed, at: 1 };
  return [{ ...first, end: last }];
}

function formOf(lines: readonly PlanLine[]): RegExp | undefined {
  return forms.find((form) => lines.some(({ text }) => form.test(text)));
}

function withIds(planSteps: readonly Pick<SolutionTask, 'name' | 'files'>[]): SolutionTask[] {
  return planSteps.slice(0, mostTasks).map((step, index) => ({
    id: `T${index + 1}`,
    ...step,
    depends_on: [],
    key_point: null,
  }));
}

function filesIn({ at, end }: PlanStep, places: readonly NamedPlace[]): PlannedFile[] {
  return filesAt(places.filter(({ plan_line: line }) => line >= at && line <= end));
}

/** The files among some places that exist or are created. */
function filesAt(places: readonly NamedPlace[]): PlannedFile[] {
  const named = places.filter(
    ({ kind, status }) => kind !== 'name' && (status === 'there' || status === 'new'),
  );
  const files = named.flatMap(
    ({ path, line, status }): readonly (readonly [string, PlannedFile])[] => {
      if (path === null) return [];
      const action = status === 'new' ? 'create' : 'modify';
      return [[path, { file: path, action, ...(line !== null && { line }) }]];
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
