// The tools that plan a change with several agents, decide, review and carry it out.
import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { wrongUsage } from '../model/failure.ts';
import { quoteForShell } from '../model/wording.ts';
import { workplaceOf } from './call-folder.ts';
import { askPerson } from './consent.ts';
import type { JobRequest } from './job-request.ts';
import { workAgreement } from '../model/agreement.ts';
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
import { loadParts, type ToolHost } from './tool-host.ts';

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
  const { server } = host;
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
      await workplaceOf(folder, host, ctx);
      const request: JobRequest = { kind: 'plan', folder, task, tools: agents, constraints };
      const { runAsJob } = await loadJobs();
      return await runAsJob(request, host, { ctx, seconds: wait_s });
    }),
  );
}

function registerDecisions(host: ToolHost): void {
  const { server } = host;
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
      const { settings, root } = await workplaceOf(folder, host, ctx);
      if (solution === null && feedback === null && answers.length === 0) {
        throw wrongUsage('Give solution, feedback or answers.');
      }
      const { describeSession } = await loadParts();
      const { runAsJob } = await loadJobs();
      const { state, rounds } = await describeSession(root, session);
      const { name = '', summary = '' } = rounds.at(-1)?.solutions[(solution ?? 0) - 1] ?? {};
      const consent = {
        asks: `${solution === null ? 'Answer so' : `Take option ${solution}`} in the planning session ${session}`,
        agreement: {
          folder,
          option: solution === null ? '' : `${solution}. ${name}\n${summary}`,
          feedback: feedback ?? '',
          answers,
          task: state.task_description,
        },
        isAllowed: settings.mcp.mayDecide,
        setting: 'may_decide',
      };
      const { open } = await askPerson(consent, host, ctx);
      const request: JobRequest = { kind: 'decide', folder, session, solution, feedback, answers };
      return open ?? (await runAsJob(request, host, { ctx, seconds: wait_s }));
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
      const { settings, agreement, hash } = await readPlanned(session, folder, { host, ctx });
      const consent = {
        asks: `Approve the plan of ${session}`,
        agreement,
        isAllowed: !approve || settings.mcp.mayDecide,
        setting: 'may_decide',
      };
      const { open } = await askPerson(consent, host, ctx);
      const shown = approve ? hash : null;
      const request: JobRequest = { kind: 'review', folder, session, comments, approve, shown };
      const { runAsJob } = await loadJobs();
      return open ?? (await runAsJob(request, host, { ctx, seconds: wait_s }));
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
      const { settings, agreement } = await readPlanned(session, folder, { host, ctx });
      const [check] = unconfined;
      if (check !== undefined && !host.canAsk(ctx)) {
        const command = `conclave execute ${session} --unconfined ${quoteForShell(check)}`;
        throw wrongUsage(
          `Only a person lets a check run unconfined, and this host cannot ask one. In a terminal: ${command}`,
        );
      }
      const freed =
        check === undefined ? '' : ', with checks that may read and write wherever you may';
      const consent = {
        asks: `Carry the plan of ${session} out now, by agents in work trees of their own${freed}`,
        agreement: { ...agreement, unconfined },
        // No setting stands for the person where a check would run unconfined.
        isAllowed: settings.mcp.mayExecute && check === undefined,
        setting: 'may_execute',
      };
      const { open } = await askPerson(consent, host, ctx);
      const request: JobRequest = { kind: 'execute', folder, session, unconfined };
      const { runAsJob } = await loadJobs();
      return open ?? (await runAsJob(request, host, { ctx, seconds: wait_s }));
    }),
  );
}

/** A session with a plan, and what a person agrees to who approves it or has it carried out. */
async function readPlanned(
  id: string,
  folder: string,
  { host, ctx }: { readonly host: ToolHost; readonly ctx: ServerContext },
) {
  const workplace = await workplaceOf(folder, host, ctx);
  const { loadSession, readSession, readWorkAhead } = await loadParts();
  const session = await loadSession(id, workplace, []);
  const { state } = await readSession(workplace.root, session.folder.id);
  const work = await readWorkAhead(session);
  const task = state?.task_description ?? '';
  const agreement = { folder, ...workAgreement(work), task };
  return { settings: workplace.settings, agreement, hash: work.hash };
}

function registerViews(host: ToolHost): void {
  const { server, mostText } = host;
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
      const { root } = await workplaceOf(folder, host, ctx);
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
      const { score, recommendation, chosen_by_rule: rule } = synthesis.convergence;
      const facts = {
        session,
        round: synthesis.round,
        options: texts.length,
        score,
        recommendation,
        ...(rule === undefined ? {} : { chosen_by_rule: rule.why }),
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
      const { root } = await workplaceOf(folder, host, ctx);
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
