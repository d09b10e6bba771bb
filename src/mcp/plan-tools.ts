// The tools that plan a change with several agents, decide, review and carry it out.
import { z } from 'zod';
import { wrongUsage } from '../model/failure.ts';
import { askPerson } from './consent.ts';
import { askToExecute } from './execute-consent.ts';
import type { JobRequest } from './job-request.ts';
import {
  adds,
  AgentName,
  loadJobs,
  ProjectFolder,
  reads,
  toolInput,
  WaitSeconds,
} from './job-inputs.ts';
import { textPart, answering, toolResult } from './results.ts';
import { findFile, loadParts, type ToolHost, workplaceOf } from './tool-host.ts';

const SessionId = z.string().describe('The id of the planning session.');
const Part = z.int().min(1).default(1).describe('The part of a long text.');

/** Registers the tools of planning that start agents. */
export function registerPlanTools(host: ToolHost): void {
  registerStarts(host);
  registerDecisions(host);
}

/** Registers the tools that show plans and jobs. */
export function registerPlanViews(host: ToolHost): void {
  registerViews(host);
  registerJobs(host);
}

function registerStarts(host: ToolHost): void {
  const { server, environment } = host;
  server.registerTool(
    'plan_start',
    {
      title: 'Plan with several agents',
      description:
        'Plan a change with several agents: they propose solutions independently, check each other against the code, and the options wait for a decision.',
      inputSchema: toolInput({
        task: z.string().min(1).describe('The change that is wanted, in the words of the user.'),
        folder: ProjectFolder,
        agents: z
          .array(AgentName)
          .default([])
          .describe('Who discusses; empty for the user’s own choice.'),
        constraints: z.array(z.string()).default([]).describe('What the plan has to keep to.'),
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ task, folder, agents, constraints, wait_s }, ctx) => {
      await workplaceOf(folder, environment);
      const request: JobRequest = {
        kind: 'plan',
        folder,
        task,
        tools: agents,
        constraints,
      };
      const { runAsJob } = await loadJobs();
      return await runAsJob(request, host, { ctx, seconds: wait_s });
    }),
  );
  server.registerTool(
    'group_think',
    {
      title: 'Let several models discuss',
      description:
        'Let two to five models discuss a topic about the code, without a plan: their positions, what they agree on, and what they do not.',
      inputSchema: toolInput({
        topic: z.string().min(1).describe('The question that they discuss.'),
        models: z.array(AgentName).min(2).max(5).describe('Who discusses.'),
        rounds: z.int().min(1).max(5).default(2).describe('The most rounds that it takes.'),
        context: z.array(z.string()).default([]).describe('Files that it is about.'),
        folder: ProjectFolder,
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ topic, models, rounds, context, folder, wait_s }, ctx) => {
      const { cwd } = await workplaceOf(folder, environment);
      for (const path of context) await findFile(path, { cwd, name: 'context' });
      const task = [topic, ...context.map((path) => `- ${path}`)].join('\n');
      const request: JobRequest = { kind: 'discuss', folder, task, tools: models, rounds };
      const { runAsJob } = await loadJobs();
      return await runAsJob(request, host, { ctx, seconds: wait_s });
    }),
  );
}

function registerDecisions(host: ToolHost): void {
  const { server, environment } = host;
  server.registerTool(
    'plan_decide',
    {
      title: 'Choose an option',
      description:
        'Choose an option of a planning session, ask for more analysis by feedback, or answer the questions of the agents. A person decides.',
      inputSchema: toolInput({
        session: SessionId,
        folder: ProjectFolder,
        solution: z.int().min(1).nullable().default(null).describe('The number of the option.'),
        feedback: z.string().nullable().default(null).describe('What to analyse further.'),
        answers: z
          .array(z.string())
          .default([])
          .describe('To the questions of the agents, in order.'),
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ session, folder, solution, feedback, answers, wait_s }, ctx) => {
      const { settings, root } = await workplaceOf(folder, environment);
      if (solution === null && feedback === null && answers.length === 0) {
        throw wrongUsage('Give solution, feedback or answers.');
      }
      const { describeSession } = await loadParts();
      const { state } = await describeSession(root, session);
      const open = askPerson(ctx, {
        question: `Planning session "${state.task_description.slice(0, 200)}": ${solution === null ? `answer "${feedback ?? answers.join('; ')}"` : `take option ${solution}`}?`,
        setting: 'may_decide',
        isAllowed: settings.mcp.mayDecide,
        canAsk: host.canAsk(ctx),
      });
      if (open !== null) return open;
      const request: JobRequest = { kind: 'decide', folder, session, solution, feedback, answers };
      const { runAsJob } = await loadJobs();
      return await runAsJob(request, host, { ctx, seconds: wait_s });
    }),
  );
  server.registerTool(
    'plan_review',
    {
      title: 'Comment on a plan or approve it',
      description:
        'Send a plan back with comments, so that it is revised, or approve it. A person approves.',
      inputSchema: toolInput({
        session: SessionId,
        folder: ProjectFolder,
        comments: z.array(z.string()).default([]).describe('What is to be changed in the plan.'),
        approve: z.boolean().default(false).describe('True to approve the plan as it is.'),
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ session, folder, comments, approve, wait_s }, ctx) => {
      if (approve === comments.length > 0)
        throw wrongUsage('Give either comments or approve: true.');
      const { settings } = await workplaceOf(folder, environment);
      const open = approve
        ? askPerson(ctx, {
            question: `Approve the plan of ${session}?`,
            setting: 'may_decide',
            isAllowed: settings.mcp.mayDecide,
            canAsk: host.canAsk(ctx),
          })
        : null;
      if (open !== null) return open;
      const request: JobRequest = { kind: 'review', folder, session, comments, approve };
      const { runAsJob } = await loadJobs();
      return await runAsJob(request, host, { ctx, seconds: wait_s });
    }),
  );
  server.registerTool(
    'plan_execute',
    {
      title: 'Carry a plan out',
      description:
        'Have an approved plan carried out by agents in work trees of their own, on a branch; nothing is applied to the user’s files. A person starts it.',
      inputSchema: toolInput({
        session: SessionId,
        folder: ProjectFolder,
        unconfined: z
          .array(z.string())
          .default([])
          .describe('Checks that a person lets run without their confinement, for this plan.'),
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ session, folder, unconfined, wait_s }, ctx) => {
      const { settings } = await workplaceOf(folder, environment);
      const { mayExecute: isAllowed } = settings.mcp;
      const asking = { session, unconfined, isAllowed, canAsk: host.canAsk(ctx) };
      const open = askToExecute(ctx, asking);
      if (open !== null) return open;
      const { runAsJob } = await loadJobs();
      return await runAsJob({ kind: 'execute', folder, session, unconfined }, host, {
        ctx,
        seconds: wait_s,
      });
    }),
  );
}

function registerViews({ server, environment, mostText }: ToolHost): void {
  server.registerTool(
    'plan_options',
    {
      title: 'Show the options',
      description:
        'Show the options of a planning session: who is for and against each and why, and which claims failed the check.',
      inputSchema: toolInput({ session: SessionId, folder: ProjectFolder, part: Part }),
      annotations: reads,
    },
    answering(async ({ session, folder, part }, ctx) => {
      const { root } = await workplaceOf(folder, environment);
      const { describeSession, opinionsOn, opinionText, isDraft, unratedText } = await loadParts();
      const { rounds } = await describeSession(root, session);
      const synthesis = rounds.at(-1);
      if (synthesis === undefined) throw wrongUsage(`Session ${session} has no options yet.`);
      const texts = synthesis.solutions.map((solution, at) =>
        [
          `## ${at + 1}. ${solution.name} (from ${solution.source_cli.join(', ')})`,
          solution.summary,
          unratedText(solution, isDraft(solution)) ??
            `effort ${solution.effort}, risk ${solution.risk}, feasibility ${solution.feasibility.toFixed(2)}`,
          ...opinionsOn(solution, synthesis).map((opinion) => `- ${opinionText(opinion)}`),
        ].join('\n'),
      );
      const { score, recommendation } = synthesis.convergence;
      const facts = {
        session,
        round: synthesis.round,
        options: texts.length,
        score,
        recommendation,
      };
      const call = `plan_options with session "${session}"`;
      return toolResult({
        ...facts,
        ...textPart(texts.join('\n\n'), { part, most: mostText(ctx), call }),
      });
    }),
  );
  server.registerTool(
    'plan_get',
    {
      title: 'Show a plan',
      description: 'Show the plan of a planning session with its tasks, as Markdown.',
      inputSchema: toolInput({ session: SessionId, folder: ProjectFolder, part: Part }),
      annotations: reads,
    },
    answering(async ({ session, folder, part }, ctx) => {
      const { root } = await workplaceOf(folder, environment);
      const { describeSession, readReport } = await loadParts();
      const described = await describeSession(root, session);
      const text = await described.folder.read('plan.md');
      if (text === null) throw wrongUsage(`Session ${session} has no plan yet.`);
      const { tasks, approval } = await readReport(described);
      const facts = { session, tasks: tasks.length, approved: approval !== null };
      const file = described.folder.absolute('plan.md');
      const call = `plan_get with session "${session}"`;
      return toolResult({ ...facts, file, ...textPart(text, { part, most: mostText(ctx), call }) });
    }),
  );
}

function registerJobs(host: ToolHost): void {
  const { server } = host;
  const Job = z.string().describe('The id of the job.');
  server.registerTool(
    'job_status',
    {
      title: 'Look at a job',
      description: 'Wait for a job for a while, and show its state or its result.',
      inputSchema: toolInput({
        job: Job,
        after: z.int().min(0).default(0).describe('As the result before says in next.'),
        part: Part,
        wait_s: WaitSeconds,
      }),
      annotations: reads,
    },
    answering(async ({ job, part, wait_s }, ctx) => {
      const { tellJob } = await loadJobs();
      return await tellJob(job, host, { ctx, seconds: wait_s, part });
    }),
  );
  server.registerTool(
    'job_cancel',
    {
      title: 'Stop a job',
      description: 'Stop a job. What it had is saved, and its agents are ended.',
      inputSchema: toolInput({ job: Job }),
      annotations: adds,
    },
    answering(async ({ job }, ctx) => {
      const { endJob } = await loadJobs();
      return await endJob(job, host, ctx);
    }),
  );
}
