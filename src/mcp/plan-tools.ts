// Lists the tools that plan a change, decide, review and execute it, and that show plans and jobs.
import { readWorkAhead } from '../app/check-execution.ts';
import { loadSession } from '../app/load-session.ts';
import { readReport } from '../app/read-report.ts';
import { readSession } from '../app/read-session.ts';
import { describeSession } from '../app/saved-session.ts';
import { markdownOf } from '../phases/documents/markdown.ts';
import { optionsBlocks } from '../phases/documents/options-document.ts';
import { endJob, readConsent, runAsJob, tellJob } from './job-tools.ts';
import { Count, Ordinal, Text } from '../model/plain-shapes.ts';
import { workAgreement } from '../model/agreement.ts';
import { wrongUsage } from '../model/failure.ts';
import { quoteForShell } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { askPerson, openFolder } from './consent.ts';
import { ProjectFolder, SessionName, takes, WaitSeconds } from './job-request.ts';
import { textPart, toolResult } from './results.ts';
import { type Call } from './tool-host.ts';
import { tool } from './tool-table.ts';

const Part = Ordinal.default(1).describe('The part of a long text.');
const Job = Text.describe('The id of the job.');

/** The planning tools that start agents. */
export const planTools = [
  tool({
    name: 'plan_start',
    title: 'Plan with several agents',
    description:
      'Plan a change with several agents: they propose solutions independently, check each other against the code, and the options wait for a decision.',
    takes: takes.plan,
    effect: 'adds',
    async act(input, call) {
      await openFolder(input.folder, call);
      return await runAsJob({ kind: 'plan', ...input }, call);
    },
  }),
  tool({
    name: 'plan_decide',
    title: 'Choose an option',
    description:
      'Choose an option of a planning session, ask for more analysis by feedback, or answer the questions of the agents. A person decides.',
    takes: takes.decide,
    effect: 'adds',
    async act(input, call) {
      const { session, folder, solution, feedback, answers } = input;
      const { settings, root } = await openFolder(folder, call);
      if (solution === null && feedback === null && answers.length === 0) {
        throw wrongUsage('Give solution, feedback or answers.');
      }
      const { state, rounds } = await describeSession(root, session);
      const { name = '', summary = '' } = rounds.at(-1)?.solutions[(solution ?? 0) - 1] ?? {};
      const rule = await readConsent(state.session_id, answers, call);
      const decision = {
        asks: `${solution === null ? 'Give these answers' : `Take option ${solution}`} in the planning session ${session}`,
        agreement: {
          folder,
          option: solution === null ? '' : `${solution}. ${name}\n${summary}`,
          feedback: feedback ?? '',
          answers,
          task: state.task_description,
        },
        setting: 'decide' as const,
        isAllowed: settings.mcp.may.includes('decide'),
      };
      const [asks = '', ...lines] = rule?.split('\n') ?? [];
      const consent = {
        asks: asks.replace('?', ''),
        agreement: { folder, limits: lines },
        isAllowed: false,
      };
      await askPerson(rule === null ? decision : consent, call);
      const agreed = rule === null ? '' : sha256Of(rule);
      return await runAsJob({ kind: 'decide', ...input, ...(call.canAsk ? { agreed } : {}) }, call);
    },
  }),
  tool({
    name: 'plan_review',
    title: 'Comment on a plan or approve it',
    description:
      'Send a plan back with comments, so that it is revised, or approve it. A person approves.',
    takes: takes.review,
    effect: 'adds',
    async act(input, call) {
      const { session, comments, approve, despite_findings: despite } = input;
      if (approve === comments.length > 0)
        throw wrongUsage('Give either comments or approve: true.');
      if (despite && !approve)
        throw wrongUsage('despite_findings goes with approve: true; give both, or neither.');
      const { settings, agreement, hash } = await readPlanned(input, call);
      const consent = {
        asks: `Approve the plan of ${session}${despite ? ' despite open findings' : ''}`,
        agreement,
        setting: 'decide' as const,
        isAllowed: !approve || settings.mcp.may.includes('decide'),
      };
      await askPerson(consent, call);
      return await runAsJob({ kind: 'review', ...input, shown: approve ? hash : null }, call);
    },
  }),
  tool({
    name: 'plan_execute',
    title: 'Carry a plan out',
    description:
      'Have an approved plan carried out by agents in work trees of their own, on a branch; nothing is applied to the user’s files. A person starts it.',
    takes: takes.execute,
    effect: 'adds',
    async act(input, call) {
      const { session, unconfined, review, answers } = input;
      const { settings, agreement } = await readPlanned(input, call);
      const [check] = unconfined;
      if (check !== undefined && !call.canAsk) {
        const command = `conclave execute ${session} --unconfined ${quoteForShell(check)}`;
        throw wrongUsage(
          `Only a person lets a check run unconfined, and this host cannot ask one. In a terminal: ${command}`,
        );
      }
      const reviewer = review === 'skip' ? 'nobody' : (review ?? 'another vendor, if one is ready');
      const freed =
        check === undefined ? '' : ', with checks that may read and write wherever you may';
      const consent = {
        asks: `Carry the plan of ${session} out now, by agents in work trees of their own, reviewed by ${reviewer}${freed}`,
        agreement: { ...agreement, unconfined, answers },
        setting: 'execute' as const,
        // No setting can replace the person if a check would run unconfined.
        isAllowed: settings.mcp.may.includes('execute') && check === undefined,
      };
      await askPerson(consent, call);
      return await runAsJob({ kind: 'execute', ...input }, call);
    },
  }),
];

/** Reads a plan, and everything a person agrees to by approving it or having it executed. */
async function readPlanned(
  { session: id, folder }: { readonly session: string; readonly folder: string },
  call: Call,
) {
  const workplace = await openFolder(folder, call);
  const session = await loadSession(id, workplace, []);
  const { state } = await readSession(workplace.root, session.folder.id);
  const work = await readWorkAhead(session);
  const task = state?.task_description ?? '';
  const agreement = { folder, ...workAgreement(work), task };
  return { settings: workplace.settings, agreement, hash: work.hash };
}

/** The tools that show plans and jobs. */
export const planViews = [
  tool({
    name: 'plan_options',
    title: 'Show the options',
    description:
      'Show the options of a planning session: who is for and against each and why, and which claims failed the check.',
    takes: { session: SessionName, folder: ProjectFolder, part: Part },
    effect: 'reads',
    async act({ session, folder, part }, call) {
      const { root } = await openFolder(folder, call);
      const { rounds } = await describeSession(root, session);
      const synthesis = rounds.at(-1);
      if (synthesis === undefined) throw wrongUsage(`Session ${session} has no options yet.`);
      const { round, solutions, convergence } = synthesis;
      const text = markdownOf(optionsBlocks({ synthesis, you: 'the user' }));
      const { score, recommendation, chosen_by_rule: rule } = convergence;
      return toolResult({
        session,
        round,
        options: solutions.length,
        score,
        recommendation,
        ...(rule !== undefined && { chosen_by_rule: rule.why }),
        ...textPart(text, { part, call, from: `plan_options with session "${session}"` }),
      });
    },
  }),
  tool({
    name: 'plan_get',
    title: 'Show a plan',
    description: 'Show the plan of a planning session with its tasks, as Markdown.',
    takes: { session: SessionName, folder: ProjectFolder, part: Part },
    effect: 'reads',
    async act({ session, folder, part }, call) {
      const { root } = await openFolder(folder, call);
      const described = await describeSession(root, session);
      const text = await described.folder.read('plan.md');
      if (text === null) throw wrongUsage(`Session ${session} has no plan yet.`);
      const { tasks, approval } = await readReport(described);
      return toolResult({
        session,
        tasks: tasks.length,
        approved: approval !== null,
        file: described.folder.absolute('plan.md'),
        ...textPart(text, { part, call, from: `plan_get with session "${session}"` }),
      });
    },
  }),
  tool({
    name: 'job_status',
    title: 'Look at a job',
    description: 'Wait for a job for a while, and show its state or its result.',
    takes: {
      job: Job,
      after: Count.default(0).describe('The value that the previous result gives in `next`.'),
      part: Part,
      wait_s: WaitSeconds,
    },
    effect: 'reads',
    async act({ job, part, wait_s: seconds }, call) {
      return await tellJob(job, call, { seconds, part });
    },
  }),
  tool({
    name: 'job_cancel',
    title: 'Stop a job',
    description: 'Stop a job. What it has done so far is saved, and its agents are stopped.',
    takes: { job: Job },
    effect: 'adds',
    async act({ job }, call) {
      return await endJob(job, call);
    },
  }),
];
