// The tools that let another agent work, ask it, or have a plan of the host examined by other vendors.
import { z } from 'zod';
import { askPerson } from './consent.ts';
import type { JobRequest } from './job-request.ts';
import { AgentName, loadJobs, ProjectFolder, WaitSeconds } from './job-inputs.ts';
import { answering } from './results.ts';
import { loadParts, type ToolHost, workplaceOf } from './tool-host.ts';
import { PlanParts } from '../model/proposal.ts';

const Session = z
  .string()
  .nullable()
  .default(null)
  .describe('The conversation to go on with, from an earlier result; null for a new one.');
const Context = z.array(z.string()).default([]).describe('Files that are sent along.');
const Role = z
  .string()
  .default('default')
  .describe('default, planner, codereviewer, or an own one.');

/** Registers `work_with` and `consult_with`. */
export function registerConversationTools(host: ToolHost): void {
  const { server, environment } = host;
  server.registerTool(
    'work_with',
    {
      title: 'Let another agent work',
      description:
        'Hand a task to another coding agent (claude, codex, gemini, copilot, opencode), which may edit files and run commands in the folder. One conversation can go on across agents by its session.',
      inputSchema: z.object({
        agent: AgentName,
        task: z.string().min(1),
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
    },
    answering(
      async ({ agent, task, folder, role, session_id, context, cli_flags, wait_s }, ctx) => {
        const { settings } = await workplaceOf(folder, environment);
        const { checkHostFlags, findOutside } = await loadParts();
        checkHostFlags(agent, cli_flags, settings);
        const outside = await findOutside(context, { cwd: folder, environment, name: 'context' });
        const conversation = session_id ?? 'a new one';
        const consent = {
          asks: `May ${agent} edit files and run commands in ${folder}`,
          agreement: { agent, flags: cli_flags, folder, role, conversation, context, task },
          setting: 'may_write',
          isAllowed: settings.mcp.mayWrite,
          outside,
        };
        const open = await askPerson(consent, host, ctx);
        if (open !== null) return open;
        const talk = { folder, agent, text: task, session: session_id, role, context, outside };
        const request: JobRequest = { kind: 'work', ...talk, mayWrite: true, cliFlags: cli_flags };
        const { runAsJob } = await loadJobs();
        return await runAsJob(request, host, { ctx, seconds: wait_s });
      },
    ),
  );
  server.registerTool(
    'consult_with',
    {
      title: 'Ask another model',
      description:
        'Get a second opinion from another model. It reads only the files in context, and changes nothing.',
      inputSchema: z.object({
        model: AgentName,
        question: z.string().min(1),
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
    },
    answering(async ({ model, question, folder, role, session_id, context, ...rest }, ctx) => {
      await workplaceOf(folder, environment);
      const { output_format: format, wait_s } = rest;
      const { findOutside, readOutputFormat } = await loadParts();
      await readOutputFormat(format, { cwd: folder, name: 'output_format' });
      const outside = await findOutside(context, { cwd: folder, environment, name: 'context' });
      const conversation = session_id ?? 'a new one';
      const consent = {
        asks: `May ${model} be asked`,
        agreement: { agent: model, folder, role, conversation, context, task: question },
        setting: null,
        isAllowed: true,
        outside,
      };
      const open = await askPerson(consent, host, ctx);
      if (open !== null) return open;
      const asked = { folder, agent: model, text: question, role, context, outside };
      const talk = { ...asked, session: session_id };
      const { runAsJob } = await loadJobs();
      return await runAsJob({ kind: 'consult', ...talk, format }, host, { ctx, seconds: wait_s });
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
      inputSchema: z.object({
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
            'Have a revised plan written, beside this one, where something stands against it.',
          ),
        wait_s: WaitSeconds,
      }),
    },
    answering(async ({ plan, task, folder, host_vendor, agents, parts, revise, wait_s }, ctx) => {
      await workplaceOf(folder, host.environment);
      const given = { text: plan, host_vendor, parts, revise, plan: false };
      const { runAsJob } = await loadJobs();
      return await runAsJob({ kind: 'critique', folder, task, tools: agents, given }, host, {
        ctx,
        seconds: wait_s,
      });
    }),
  );
}
