// Gives hosts prompts for common uses, which people choose from a menu.
import type { GetPromptResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolHost } from './tool-host.ts';

export function registerHostPrompts({ server }: ToolHost): void {
  server.registerPrompt(
    'plan',
    {
      title: 'Plan with several agents',
      description: 'Several agents plan a change together; you decide.',
      argsSchema: z.object({ task: z.string().min(1).describe('The change.') }),
    },
    ({ task }) =>
      asUser(
        `Plan this with Conclave: call plan_start with the absolute path of this project as folder, and job_status while it runs. Show me the options (plan_options) with their trade-offs and let me choose, then the plan (plan_get), and pass on what I say of it.\n\n${task}`,
      ),
  );
  server.registerPrompt(
    'second-opinion',
    {
      title: 'Ask another model',
      description: 'Another model answers a question.',
      argsSchema: z.object({
        question: z.string().min(1),
        model: z.string().min(1).describe('claude, codex, gemini, copilot or opencode.'),
      }),
    },
    ({ question, model }) =>
      asUser(
        `Ask ${model} with the conclave tool consult_with: this question, the absolute path of this project as folder, and as context the files that it is about. Then show me its answer, and say where you disagree.\n\n${question}`,
      ),
  );
  server.registerPrompt(
    'critique',
    {
      title: 'Have a plan examined',
      description: 'Other vendors examine the latest plan of this conversation.',
    },
    () =>
      asUser(
        'Call the conclave tool critique_plan with your latest plan as plan, my request as task, the absolute path of this project as folder and the vendor of your own model as host_vendor, and job_status while it runs. Meet wrong places and objections with found evidence, check the others in the code, and show me the plan as it is then, with the objections that you refused and why.',
      ),
  );
}

function asUser(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
