import { z } from 'zod';
import { AgentName } from './ids.ts';

/** A model name as CLIs take it; keeps flags, spaces and control characters out. */
const ModelName = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.union([z.literal(''), z.string().regex(/^[A-Za-z0-9._/:@][A-Za-z0-9._/:@-]*$/)]));

const AgentSettings = z.strictObject({
  enabled: z.boolean().optional().describe('False takes the agent out of every run.'),
  path: z.string().optional().describe('The program to start instead of the one on PATH.'),
  args: z.array(z.string()).optional().describe('Arguments put before our own.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables added for this agent.'),
  model: ModelName.optional(),
  vendor: z.string().optional().describe('Provider of the model that answers.'),
  timeout: z.number().positive().max(86_400).optional().describe('Seconds for one run.'),
});

/** `conclave.toml` and `config.toml`: every setting, all optional. Times in seconds. */
export const Config = z.strictObject({
  agent: z
    .strictObject({ cli: AgentName.optional(), model: ModelName.optional() })
    .optional()
    .describe('The agent that plans and, later, executes by default.'),
  agents: z.record(AgentName, AgentSettings).optional(),
  workflow: z
    .strictObject({
      tools: z.array(z.string()).min(1).optional(),
      fallback_chain: z.array(z.string()).optional(),
      mode: z.enum(['parallel', 'serial']).optional(),
      max_rounds: z.int().min(1).max(20).optional(),
      constraints: z.array(z.string()).optional(),
      require_convergence: z.boolean().optional(),
      auto_yes: z.boolean().optional(),
      timeout: z.number().positive().max(86_400).optional(),
      first_output_timeout: z.number().positive().max(86_400).optional(),
      idle_timeout: z.number().positive().max(86_400).optional(),
      kill_grace: z.number().min(0).max(60).optional(),
    })
    .optional(),
  context: z
    .strictObject({
      providers: z
        .array(z.enum(['ripgrep', 'scan']))
        .min(1)
        .optional(),
      max_files: z.int().min(1).max(100).optional(),
      timeout: z.number().positive().max(600).optional(),
    })
    .optional(),
  models: z
    .record(
      z.string(),
      z.strictObject({ cli: AgentName.optional(), provider: z.string().optional() }),
    )
    .optional(),
  phases: z
    .record(
      z.string(),
      z.strictObject({
        is_destructive: z.boolean().optional(),
        destructive: z.boolean().optional(),
      }),
    )
    .optional(),
  schemas: z
    .strictObject({
      plan: z.string().optional().describe('A JSON Schema that extends the plan’s.'),
      task: z.string().optional().describe('A JSON Schema that extends the task’s.'),
    })
    .optional(),
});
export type Config = z.infer<typeof Config>;
