// Writes the requests about a plan: to the planner, for the plan and for its changes, and to its readers.
import type { ContextPackage, PackagedRemark } from '../model/context-package.ts';
import type { Finding } from '../model/finding.ts';
import { isFound } from '../model/found-evidence.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import type { ReadFinding } from '../model/plan-reading.ts';
import type { PlanFiles } from '../model/plan.ts';
import { redactFile } from '../model/secrets.ts';
import type { CheckedClaim } from '../model/synthesis.ts';
import { type Task, runtimeTaskFields } from '../model/task.ts';
import { listed, oneLine, proofLine } from '../model/wording.ts';
import { type ProjectWords, wordsData } from './context-text.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import {
  type LabelledText,
  type PromptInput,
  bullets,
  compactSchema,
  promptText,
  requestParts,
} from './request.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface PlannerRequest extends PromptInput {
  readonly package: ContextPackage;
  /** The user's own additions to the schemas of plan and task; null without one. */
  readonly extensions: { readonly plan: Schema | null; readonly task: Schema | null };
}

/** A request that shows the code of the decided solution and the project’s words. */
export interface PlanRequest extends PlannerRequest, ProjectWords {
  readonly excerpts: Excerpts;
}

/** The request to the planning agent: a plan and its task files as one JSON object. */
export function planPrompt(input: PlanRequest): string {
  return promptOf(input, { template: 'plan', data: codeData(input) });
}

/** The single request to the planner to fix what the plan check found. The planner opens the code itself. */
export function planFindingsPrompt(
  input: PlannerRequest & {
    readonly findings: readonly Finding[];
    readonly planned: PlanFiles;
  },
): string {
  return promptOf(input, {
    template: 'plan-findings',
    repair: true,
    data: {
      proofs: ['proofs', proofsText(input.package, { withCode: false })],
      findings: ['findings', bullets(input.findings.map(findingLine))],
      answer: ['current plan', planJson(input.planned)],
      package: ['decision', essentialsText(input.package)],
    },
  });
}

/** Sends a person’s comments on the plan to the planner, for a new version of it. */
export function planRevisionPrompt(
  input: PlanRequest & {
    readonly comments: readonly PlanComment[];
    /** Changes that the person made by hand since the planner wrote it, one line each. */
    readonly edits: readonly string[];
    /** Unsettled findings of readers, one line each. */
    readonly open: readonly string[];
    /** The plan as it is on disk. */
    readonly planned: PlanFiles;
  },
): string {
  const { comments, edits, open, planned } = input;
  const lines = comments.map(({ task, text, quote }) => {
    const line = quote === undefined ? '' : `, on the line “${oneLine(quote)}”`;
    return `${task ?? 'The whole plan'}${line}: ${text}`;
  });
  return promptOf(input, {
    template: 'plan-revise',
    request: {
      comments: ['comments', bullets(lines)],
      edits: ['changes by hand', bullets(edits)],
    },
    data: {
      ...codeData(input),
      open: ['open findings', bullets(open)],
      answer: ['current plan', planJson(planned)],
    },
  });
}

function codeData(input: PlanRequest) {
  return {
    ...wordsData(input),
    excerpts: ['code', excerptsText(input.excerpts)],
    proofs: ['proofs', proofsText(input.package, { withCode: true })],
  } as const;
}

/** Each proof with what it showed at the base, and its code if that is wanted; empty without any. */
function proofsText(
  { proofs = [] }: ContextPackage,
  { withCode }: { readonly withCode: boolean },
): string {
  const texts = proofs.map(({ content, path, needs, why, for: reason, ...proof }) => {
    const names = needs.map((need) => `${need.name} (${need.path})`).join(', ');
    const facts = [
      proofLine(proof),
      path,
      `for: ${reason}`,
      ...(names === '' ? [] : [`needs: ${names}`]),
      ...(why === '' ? [] : [`shown: ${why}`]),
    ];
    return withCode ? `${facts.join(' · ')}\n${redactFile(path, content)}` : facts.join(' · ');
  });
  return texts.join('\n');
}

function promptOf(
  input: PlannerRequest,
  own: {
    readonly template: string;
    readonly repair?: boolean;
    readonly request?: Readonly<Record<string, LabelledText>>;
    readonly data?: Readonly<Record<string, LabelledText>>;
  },
): string {
  const { package: contextPackage, extensions } = input;
  const request = { ...requestOfPackage(contextPackage), ...own.request };
  const data: Readonly<Record<string, LabelledText>> = {
    package: ['context package', decisionText(contextPackage)],
    ...own.data,
  };
  return promptText(input, {
    ...own,
    phase: 'plan',
    own: { extensions: extensionsText(extensions) },
    request,
    data,
  });
}

/** The user’s request, as the package of a plan holds it. */
export function requestOfPackage({
  task_description: task,
  constraints,
  feedback,
  clarifications: answers,
}: ContextPackage) {
  return requestParts({ task, constraints, feedback, answers });
}

/** Everything that the planner needs of a package, except what the request already says. */
function decisionText(contextPackage: ContextPackage): string {
  const { solution, alternatives, affected_files, consensus, ...decided } =
    withoutSecrets(contextPackage);
  const {
    session_id: _session,
    task_description: _task,
    constraints: _constraints,
    feedback: _feedback,
    clarifications: _clarifications,
    // The proofs stand apart, as code.
    proofs: _proofs,
    dropped_proofs: _dropped,
    ...own
  } = decided;
  return shortJson({
    solution: withoutNames(solution),
    ...own,
    disagreements: consensus.disagreements,
    alternatives: alternatives?.map(withoutNames),
    files_in_doubt: affected_files.filter(({ status }) => status === 'failed'),
  });
}

/** Removes the authors, which do not matter to a planner. */
function withoutNames({
  source_cli: _authors,
  positions: _positions,
  ...named
}: ContextPackage['solution']): object {
  return named;
}

/** The measure for fixing or reading a plan. Names of agents would reveal the author. */
function essentialsText(contextPackage: ContextPackage): string {
  const { solution, implementation_plan, technical_concerns, ...rest } =
    withoutSecrets(contextPackage);
  const { name, summary } = solution;
  return shortJson({
    solution: { name, summary },
    implementation_plan,
    evidence: rest.evidence,
    technical_concerns,
    remarks: rest.remarks?.map(({ id, kind, text, state, evidence }) => {
      return { id, kind, text, state, evidence };
    }),
    open_questions: rest.open_questions,
    assumptions: rest.assumptions?.map(({ question, assumption }) => ({ question, assumption })),
    uncertainty: rest.uncertainty,
    build_facts: rest.build_facts,
  });
}

/** Writes JSON without the empty fields. */
export function shortJson(value: object): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    one === null || one === '' || (Array.isArray(one) && one.length === 0) ? undefined : one,
  );
}

/**
 * Removes secrets from quotes, which come from files, and the project’s facts, which are shown
 * separately.
 */
function withoutSecrets(contextPackage: ContextPackage) {
  const { evidence, remarks, alternatives } = contextPackage;
  return {
    ...contextPackage,
    evidence: evidence?.map(redactQuote),
    remarks: remarks?.map(redactRemark),
    alternatives: alternatives?.map(({ decided_against: against, ...other }) =>
      against === undefined ? other : { ...other, decided_against: redactRemark(against) },
    ),
    project_facts: undefined,
  };
}

function redactRemark(remark: PackagedRemark): PackagedRemark {
  return { ...remark, evidence: remark.evidence.map(redactQuote) };
}

function redactQuote<T extends { readonly path: string; readonly quote: string }>(claim: T): T {
  return { ...claim, quote: redactFile(claim.path, claim.quote) };
}

/** The user’s demands on plan and tasks besides ours; empty without any. */
function extensionsText({ plan, task }: PlanRequest['extensions']): string {
  return mustFit('`plan`', plan) + mustFit('Each entry of `tasks`', task);
}

function mustFit(what: string, schema: Schema | null): string {
  if (schema === null) return '';
  return `\n${what} must also fit: ${JSON.stringify(compactSchema(schema))}`;
}

/** Describes a finding of the plan check on one line. */
function findingLine({ severity, rule, file, pointer, message }: Finding): string {
  return `${severity} (${rule}) ${file}${pointer === '' ? '' : `#${pointer}`}: ${message}`;
}

interface ReadingRequest extends PromptInput {
  readonly package: ContextPackage;
  readonly planned: PlanFiles;
  /** The findings of the plan check. */
  readonly checked: readonly Finding[];
}

/** Writes the findings of the plan check without the names that persons are shown with a remark. */
function checkText({ package: { remarks = [] }, checked }: ReadingRequest): string {
  const whose = remarks.map(({ agents }) => `${listed(agents)}’s `);
  const unnamed = (line: string) => whose.reduce((text, one) => text.replace(one, 'the '), line);
  return bullets(checked.map((one) => unnamed(findingLine(one))));
}

/** The request to a reader. It does not reveal who wrote the plan or who said what before. */
export function planReviewPrompt(input: ReadingRequest & ProjectWords): string {
  const { planned } = input;
  return promptText(input, {
    template: 'plan-review',
    phase: 'plan-review',
    request: requestOfPackage(input.package),
    data: {
      proofs: ['proofs', proofsText(input.package, { withCode: true })],
      plan: ['plan', planJson(planned)],
      check: ['plan check', checkText(input)],
      decision: ['decision', essentialsText(input.package)],
      ...wordsData(input),
    },
  });
}

/** The single request to a plan’s author to fix or refuse what its readers found. */
export function planReplyPrompt(
  input: ReadingRequest & {
    readonly findings: readonly ReadFinding[];
    readonly extensions: PlanRequest['extensions'];
  },
): string {
  const { findings, planned, extensions } = input;
  return promptText(input, {
    template: 'plan-reply',
    phase: 'plan-reply',
    own: { extensions: extensionsText(extensions) },
    request: requestOfPackage(input.package),
    data: {
      proofs: ['proofs', proofsText(input.package, { withCode: false })],
      findings: ['findings', bullets(findings.map(findingText))],
      check: ['plan check', checkText(input)],
      answer: ['current plan', planJson(planned)],
      package: ['decision', essentialsText(input.package)],
    },
  });
}

/** The path of evidence that is in the plan or the request, not in a file. */
export const shownPath = 'plan';

/** Writes plan and tasks as JSON, as agents see them. */
export function planJson({ plan, tasks }: PlanFiles): string {
  // The proofs stand apart, as code.
  const { _metadata, proofs: _proofs, dropped_proofs: _dropped, ...overview } = plan;
  const texts = tasks.map((task) => JSON.stringify(asPlanned(task))).join(',\n');
  return `{"plan":${JSON.stringify(overview)},\n"tasks":[${texts}]}`;
}

const notPlanned: ReadonlySet<string> = new Set([
  ...runtimeTaskFields,
  'source',
  'meta',
  'cli_execution',
  'context_package_path',
]);

function asPlanned(task: Task): object {
  const { original_id } = task.source ?? {};
  const source = original_id === undefined ? {} : { source: { original_id } };
  return { ...withoutRun(task), ...source };
}

/** A task without what an execution or another tool adds to it. */
export function withoutRun(task: Task): object {
  return Object.fromEntries(Object.entries(task).filter(([name]) => !notPlanned.has(name)));
}

function findingText({ id, severity, task, problem, suggestion, evidence }: ReadFinding): string {
  const about = task === null ? 'the plan' : task;
  const shown = evidence.map((claim) => `\nEvidence, ${evidenceText(claim)}`).join('');
  return `${id}, ${severity}, ${about}: ${problem}${shown}\nSuggestion: ${suggestion}`;
}

function evidenceText(claim: CheckedClaim): string {
  const { path, line, found_line: found, quote } = claim;
  const where = path === shownPath ? 'plan or request' : `${path}:${found ?? line}`;
  return `${isFound(claim) ? 'found' : 'not found'}: ${where} \`${quote}\``;
}
