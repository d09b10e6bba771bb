// The tools that let another agent work, ask models, or have a plan of the host examined by other vendors.
import { z } from 'zod';
import { listed } from '../model/wording.ts';
import { workplaceOf } from './call-folder.ts';
import { askPerson } from './consent.ts';
import type { JobRequest } from './job-request.ts';
import {
  adds,
  AgentName,
  changes,
  loadJobs,
  ProjectFolder,
  toolInput,
  WaitSeconds,
} from './job-inputs.ts';
import { answering } from './results.ts';
import { loadParts, type ToolHost } from './tool-host.ts';
import { PlanParts } from '../model/proposal.ts';

const Session = z
  .string()
  .nullable()
  .default(null)
  .describe(
    'The conversation to go on with: the session of an earlier result, or a name of your own; null for a new one.',
  );
const Context = z.array(z.string()).default([]).describe('Files that are sent along.');
const Role = z
  .string()
  .default('default')
  .describe('default, planner, codereviewer, or an own one.');

/** Registers `work_with`, `consult_with` and `group_think`. */
export function registerConversationTools(host: ToolHost): void {
  const { server } = host;
  server.registerTool(
    'work_with',
    {
      title: 'Let another agent work',
      description:
        'Hand a task to another coding agent (claude, codex, gemini, copilot, opencode), which may edit files and run commands in the folder. One conversation can go on across agents by its session.',
      inputSchema: toolInput({
        agent: AgentName,
        task: z
          .string()
          .min(1)
          .describe('What is to be done, in full: it knows nothing of your conversation.'),
        folder: ProjectFolder,
        role: Role,
        session_id: Session,
        context: Context,
        cli_flags: z
          .array(z.string().max(1000))
          .max(20)
          .default([])
          .describe(
            'Flags of its program, each with its value in one text: how hard its model thinks, e.g. --effort=high; others only where the user allows them.',
          ),
        wait_s: WaitSeconds,
      }),
      annotations: changes,
    },
    answering(
      async ({ agent, task, folder, role, session_id, context, cli_flags, wait_s }, ctx) => {
        const { settings } = await workplaceOf(folder, host, ctx);
        const { checkHostFlags } = await loadParts();
        const { runAsJob } = await loadJobs();
        checkHostFlags(agent, cli_flags, settings);
        const conversation = session_id ?? 'a new one';
        const consent = {
          asks: `May ${agent} edit files and run commands in ${folder}`,
          agreement: { agent, flags: cli_flags, folder, role, conversation, context, task },
          setting: 'may_write',
          isAllowed: settings.mcp.mayWrite,
        };
        const { open, outside } = await askPerson(consent, host, ctx);
        const talk = { folder, agent, text: task, session: session_id, role, context, outside };
        const request: JobRequest = { kind: 'work', ...talk, cliFlags: cli_flags };
        return open ?? (await runAsJob(request, host, { ctx, seconds: wait_s }));
      },
    ),
  );
  server.registerTool(
    'consult_with',
    {
      title: 'Ask another model',
      description:
        'Get a second opinion from another model. It reads only the files in context, and changes nothing.',
      inputSchema: toolInput({
        model: AgentName,
        question: z.string().min(1).describe('In full: it knows nothing of your conversation.'),
        folder: ProjectFolder,
        role: Role,
        session_id: Session,
        context: Context,
        output_format: z
          .union([z.literal('text'), z.record(z.string(), z.unknown())])
          .default('text')
          .describe('text, or the JSON Schema of the answer, which then is one JSON object.'),
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ model, question, folder, role, session_id, context, ...rest }, ctx) => {
      await workplaceOf(folder, host, ctx);
      const { output_format: format, wait_s } = rest;
      const { readOutputFormat } = await loadParts();
      const { runAsJob } = await loadJobs();
      await readOutputFormat(format, { cwd: folder, name: 'output_format' });
      const conversation = session_id ?? 'a new one';
      const agreement = { agent: model, folder, role, conversation, context, task: question };
      const consent = { asks: `May ${model} be asked`, agreement };
      const { open, outside } = await askPerson(consent, host, ctx);
      const talk = { folder, agent: model, session: session_id, role, context, outside };
      const request: JobRequest = { kind: 'consult', ...talk, text: question, format };
      return open ?? (await runAsJob(request, host, { ctx, seconds: wait_s }));
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
        context: Context,
        folder: ProjectFolder,
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ topic, models, rounds, context, folder, wait_s }, ctx) => {
      await workplaceOf(folder, host, ctx);
      const agreement = { agents: models, folder, context, task: topic };
      const consent = { asks: `May ${listed(models)} discuss this`, agreement };
      const { open } = await askPerson(consent, host, ctx);
      const task = [topic, ...context.map((path) => `- ${path}`)].join('\n');
      const request: JobRequest = { kind: 'discuss', folder, task, tools: models, rounds };
      const { runAsJob } = await loadJobs();
      return open ?? (await runAsJob(request, host, { ctx, seconds: wait_s }));
    }),
  );
}

/** Registers `critique_plan`. */
export function registerCritiqueTools(host: ToolHost): void {
  host.server.registerTool(
    'critique_plan',
    {
      title: 'Have a plan examined',
      description:
        'Have a plan that exists already examined by agents of other vendors: the places that are wrong, and objections whose evidence was checked in the code. Nobody changes anything.',
      inputSchema: toolInput({
        plan: z.string().min(1).describe('The whole plan, as Markdown.'),
        task: z.string().default('').describe('The request of the user, in their words.'),
        folder: ProjectFolder,
        host_vendor: z
          .string()
          .nullable()
          .default(null)
          .describe(
            'The vendor of your own model, such as anthropic, openai or google; it is not asked.',
          ),
        agents: z
          .array(AgentName)
          .default([])
          .describe('Who examines; empty for the user’s own choice.'),
        parts: PlanParts.nullable()
          .default(null)
          .describe(
            'The plan taken apart into tasks; null to leave that to rules, or to one short call of an agent where rules find no steps.',
          ),
        revise: z
          .boolean()
          .default(false)
          .describe(
            'Have a revised plan written beside this one, if places are wrong or objections are proven.',
          ),
        wait_s: WaitSeconds,
      }),
      annotations: adds,
    },
    answering(async ({ plan, task, folder, host_vendor, agents, parts, revise, wait_s }, ctx) => {
      await workplaceOf(folder, host, ctx);
      const given = { text: plan, host_vendor, parts, revise, plan: false };
      const { runAsJob } = await loadJobs();
      const request: JobRequest = { kind: 'critique', folder, task, tools: agents, given };
      return await runAsJob(request, host, { ctx, seconds: wait_s });
    }),
  );
}
