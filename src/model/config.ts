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

/** A server of the Model Context Protocol on stdio that helps to find code. */
const McpSettings = z.strictObject({
  enabled: z.boolean().optional().describe('False leaves the server out.'),
  preset: z
    .enum(['ace', 'augment', 'claude-context'])
    .optional()
    .describe('A known server: its tool, arguments and queries.'),
  command: z.string().min(1).optional().describe('The program to start.'),
  args: z.array(z.string()).optional().describe('Its arguments; {root} is the repository.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables added for it.'),
  tool: z.string().min(1).optional().describe('The tool that is called.'),
  arguments: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .optional()
    .describe('Arguments of the tool; {query}, {task}, {root} and {limit} are filled in.'),
  queries: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('What it is asked; {task}, {keywords} and {keyword} are filled in.'),
  timeout: z.number().positive().max(600).optional().describe('Seconds for all its queries.'),
  max_bytes: z.int().min(1_000).max(1_000_000_000).optional().describe('The most it may print.'),
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
        .array(z.enum(['mcp', 'local', 'ripgrep', 'scan']))
        .min(1)
        .optional()
        .describe('Who is asked for code, in order; mcp only where its server is configured.'),
      max_files: z.int().min(1).max(100).optional(),
      timeout: z.number().positive().max(600).optional(),
      rerank: z
        .enum(['off', 'agent'])
        .optional()
        .describe('Whether one agent puts the found files in order before the first round.'),
      mcp: McpSettings.optional(),
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
