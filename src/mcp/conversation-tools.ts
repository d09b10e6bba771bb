// The tools that let another agent work, or ask it.
import { z } from 'zod';
import { askPerson } from './consent.ts';
import type { JobRequest } from './job-request.ts';
import { AgentName, loadJobs, ProjectFolder, WaitSeconds } from './job-inputs.ts';
import { answering } from './results.ts';
import { loadParts, type ToolHost, workplaceOf } from './tool-host.ts';

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
        const { checkHostFlags } = await loadParts();
        checkHostFlags(agent, cli_flags, settings);
        const flags = cli_flags.length === 0 ? '' : ` with ${cli_flags.join(' ')}`;
        const open = askPerson(ctx, {
          question: `May ${agent}${flags} edit files and run commands in ${folder}? Its task: ${task.slice(0, 400)}`,
          setting: 'may_write',
          isAllowed: settings.mcp.mayWrite,
          canAsk: host.canAsk(ctx),
        });
        if (open !== null) return open;
        const talk = { folder, agent, text: task, session: session_id, role, context };
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
      const { readOutputFormat } = await loadParts();
      await readOutputFormat(format, { cwd: folder, name: 'output_format' });
      const talk = { folder, agent: model, text: question, session: session_id, role, context };
      const { runAsJob } = await loadJobs();
      return await runAsJob({ kind: 'consult', ...talk, format }, host, { ctx, seconds: wait_s });
    }),
  );
}
