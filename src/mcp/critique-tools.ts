// The tool that has a plan of the host examined by other vendors.
import { z } from 'zod';
import { PlanParts } from '../model/proposal.ts';
import { AgentName, loadJobs, ProjectFolder, WaitSeconds } from './job-inputs.ts';
import { answering } from './results.ts';
import { type ToolHost, workplaceOf } from './tool-host.ts';

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
