// Takes a plan that somebody else has written apart, by rules or as an agent read it: name and tasks.
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

/** Each step becomes a task with the files that it names and that are there or made. */
export function structurePlan(text: string, places: readonly NamedPlace[]): PlanParts {
  const lines = proseOf(text);
  const prose = lines.filter(({ text: one }) => !/^\s*(?:#|[-*+] |\d+[.)] )/.test(one));
  const name = titleOf(text);
  const tasks = withIds(
    stepsIn(lines).map((step) => ({ name: nameOf(step.text), files: filesIn(step, places) })),
  );
  return partsOf(text, { name, summary: prose.map((one) => one.text).join(' '), tasks });
}

/** The plan as an agent took it apart. Of the files that it names, those of the given places count. */
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
      // The words of its author stay whole: whoever goes on with it loses nothing.
      approach: text,
      tasks,
      execution_flow: tasks.map(({ id }) => id).join(' → '),
      milestones: [],
    },
  };
}

/** The files that an agent names for the steps of a plan, and that stand in its text. */
export function filesInText({ steps }: StructuredPlan, text: string): readonly string[] {
  const named = steps.flatMap(({ files }) => files.map(pathNamed));
  return [...new Set(named)].filter((path) => path !== '' && standsIn(path, text));
}

/** A path without the line that may follow it. */
function pathNamed(file: string): string {
  return file
    .trim()
    .replace(/^\.\//, '')
    .replace(/:\d+(?:-\d+)?$/, '');
}

/** True for a path that stands there by itself, and not as a part of another one. */
function standsIn(path: string, text: string): boolean {
  const before = String.raw`(?<![\w@/-]|\w\.|\.\.)(?:\./)?`;
  const escaped = path.replace(/[^\w/]/g, '\\$&');
  return new RegExp(String.raw`${before}${escaped}(?![\w/-]|\.\w)`).test(text);
}

/** True where rules find the steps of a plan, or where it is too short for many. */
export function isReadByRules(text: string): boolean {
  const all = text.split('\n').map((line) => Math.ceil(line.trim().length / usualWidth));
  if (all.reduce((sum, height) => sum + height, 0) <= fewLines) return true;
  const lines = proseOf(text);
  const form = formOf(lines);
  if (lines.filter((line) => form?.test(line.text)).length < 2) return false;
  // Headings that name no place may as well be those of chapters.
  return form !== heading || mentionsIn(text).mentions.length > 0;
}

const fewLines = 3;
/** In characters. */
const usualWidth = 80;

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

const heading = /^##+\s+\S/;
/** The forms in which a step begins; the first one that a plan uses counts. */
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

/** Those of some places that are there, or are made. */
function filesAt(places: readonly NamedPlace[]): PlannedFile[] {
  const named = places.filter(
    ({ kind, status }) => kind !== 'name' && (status === 'there' || status === 'new'),
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
