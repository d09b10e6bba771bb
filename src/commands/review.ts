import { headlessView } from '../faces/headless.ts';
import { jsonView } from '../faces/json.ts';
import { type GivenReview, reviewAnswers } from '../faces/review-answers.ts';
import { Stopped } from '../model/failure.ts';
import { findingText } from '../model/finding.ts';
import type { PlanOnDesk } from '../phases/planning/plan-desk.ts';
import { isReadyPlanner } from '../phases/planning/ask-planner.ts';
import { plannerNames } from '../phases/planning/planner-names.ts';
import { readJournal } from '../store/journal.ts';
import { type SessionFolder, listSessionIds, openSessionFolder } from '../store/session-folder.ts';
import { type Planned, plannedIn, reopenReview } from '../workflow/review-start.ts';
import { printWarnings } from './output.ts';
import { projectRoot } from './project-root.ts';
import { blockingIn, printOverview } from './plan-overview.ts';
import { editsOf } from './review-edits.ts';
import { type ReviewFlags, commentOf } from './review-flags.ts';
import { readRounds, readSession } from './saved-session.ts';
import { type Settings, loadSettings } from './settings/load-settings.ts';
import { type OpenDesk, mendPlan, openDesk } from './wiring/open-desk.ts';
import { poolFor } from './wiring/agent-pools.ts';
import { type Face, runInSession } from './wiring/run-in-session.ts';

/** `conclave review`: shows the plan of a session; with flags, changes it or says what becomes of it. */
export async function run(id: string | undefined, flags: ReviewFlags): Promise<number> {
  const reviewing = await openReview(id, flags.cwd);
  const { folder, settings, planned, desk } = reviewing;
  const seen = await desk.read();
  if (!acts(flags)) {
    printWarnings(settings.warnings);
    return printOverview({ folder, planned, seen, json: flags.json });
  }
  const given = await givenReview({ reviewing, seen, flags });
  if (!planned.isBeingRevised && isNothing(given)) return blockingIn(seen).length === 0 ? 0 : 6;
  return await runReview(reviewing, faceOf(given, flags));
}

/** A session with a plan, found and opened for looking. */
export interface Reviewing extends OpenDesk {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
  readonly planned: Planned;
}

/** Throws `usage` where there is no such session, or none that has a plan. */
export async function openReview(id: string | undefined, cwd: string): Promise<Reviewing> {
  const root = await projectRoot(cwd);
  const folder = id === undefined ? await latestWithPlan(root) : await openSessionFolder(root, id);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags: {} });
  const planned = plannedIn((await readJournal(folder)).records);
  if (planned === null) throw await withoutPlan(root, folder);
  const found = { folder, root, settings, planned };
  return { ...found, ...(await openDesk(found)) };
}

/** Takes the session as its one owner and puts its plan before a face. Returns the exit code. */
export async function runReview(
  { folder, root, settings }: Reviewing,
  face: Face,
): Promise<number> {
  return await runInSession({ folder, root, settings, face, task: null, prepare: reopenReview });
}

function acts({ approve, reject, comments, settings }: ReviewFlags): boolean {
  return approve || reject || comments.length > 0 || settings.length > 0;
}

/** All that was set was so already: the session, and an approval of it, stay as they are. */
function isNothing({ edits, comments, approve, reject }: GivenReview): boolean {
  return edits.length === 0 && comments.length === 0 && !approve && reject === null;
}

/** Everything that can be refused is refused before anything of the session is changed. */
async function givenReview({
  reviewing,
  seen,
  flags,
}: {
  readonly reviewing: Reviewing;
  readonly seen: PlanOnDesk;
  readonly flags: ReviewFlags;
}): Promise<GivenReview> {
  const { folder, desk, schemas, planned } = reviewing;
  const mended = await mendPlan(folder);
  printWarnings(mended);
  const { plan, tasks, findings, version } = mended.length === 0 ? seen : await desk.read();
  const given = { session: folder.id, version, edits: [], comments: [], approve: false };
  if (planned.isBeingRevised) return { ...given, reject: null };
  if (plan === null) {
    if (flags.reject) return { ...given, reject: flags.comments.join('; ') };
    const first = findings[0] === undefined ? '' : findingText(findings[0]);
    throw new Stopped({ reason: 'plan-unreadable', session: folder.id, first });
  }
  const { edits, unchanged } = editsOf(flags.settings, { plan, tasks }, schemas);
  printWarnings(unchanged);
  if (flags.reject) return { ...given, edits, reject: flags.comments.join('; ') };
  const comments = flags.comments.map((text) => commentOf(text, plan.task_ids));
  if (comments.length > 0) await checkPlanners(reviewing);
  return { ...given, edits, comments, approve: flags.approve, reject: null };
}

/** Throws `nobody-revises` where no planning agent is ready. */
async function checkPlanners({ folder, settings, repository }: Reviewing): Promise<void> {
  const { signal } = new AbortController();
  const agents = poolFor({ settings, environment: process.env, repository });
  const receipts = (await readRounds(folder)).at(-1)?.receipts ?? [];
  const { planner, run: current } = settings;
  const names = plannerNames({ planner, receipts, settings: current, agents });
  const unready: { agent: string; why: string }[] = [];
  for (const name of names) {
    if (await isReadyPlanner(name, agents, signal)) return;
    const readiness = await agents.get(name)?.ready(signal);
    const why = readiness === undefined || readiness.state === 'ready' ? '' : readiness.why;
    unready.push({ agent: name, why });
  }
  throw new Stopped({ reason: 'nobody-revises', session: folder.id, agents: unready });
}

function faceOf(given: GivenReview, { json }: ReviewFlags): Face {
  const answers = reviewAnswers(given);
  const view = json ? jsonView(process.stdout, answers) : headlessView(process.stdout, answers);
  return { view, ended: () => Promise.resolve() };
}

/** One of them alone tells of a plan whose other files are gone, which the review then says. */
const planFiles = ['plan.json', 'plan.md', '.task'];

async function latestWithPlan(root: string): Promise<SessionFolder> {
  for (const id of await listSessionIds(root)) {
    const folder = await openSessionFolder(root, id);
    const names = await folder.list('.');
    if (planFiles.some((name) => names.includes(name))) return folder;
  }
  const message = 'There is no session with a plan here; make one with: conclave plan "TASK"';
  throw new Stopped({ reason: 'usage', message });
}

async function withoutPlan(root: string, { id }: SessionFolder): Promise<Stopped> {
  const { state, fault } = await readSession(root, id);
  if (fault !== null) return fault;
  const where = state === null ? '' : ` (it stands at: ${state.phase})`;
  const message = `Session ${id} has no plan yet${where}; go on with: conclave resume ${id}`;
  return new Stopped({ reason: 'usage', message });
}
