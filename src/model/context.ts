// Defines `codebase-context.json`, and the base.
import { z } from 'zod';

export const RelevantFile = z.object({
  path: z.string().describe('Relative to the repository root, with forward slashes.'),
  start: z.int().min(1).describe('First line of the best part, counted from 1.'),
  end: z.int().min(1).describe('Last line of the best part.'),
  parts: z
    .array(z.object({ start: z.int().min(1), end: z.int().min(1) }))
    .optional()
    .describe('Further parts that matter, best first; absent where there is none.'),
  symbols: z.array(z.string()).describe('Names defined in or near that part.'),
  score: z.number().min(0).describe('Higher is better; only comparable within one search.'),
  reasons: z.array(z.string()).describe('Why the file was chosen, in words.'),
});
export type RelevantFile = z.infer<typeof RelevantFile>;

/** A text of the project about itself, e.g. from `AGENTS.md`. `source` is a path. */
export const ProjectFact = z.object({
  source: z.string(),
  text: z.string(),
  kind: z
    .literal('conversation')
    .optional()
    .describe('The conversation that led to the task; absent for what the project says of itself.'),
});
export type ProjectFact = z.infer<typeof ProjectFact>;

/** Commands that build and test one part of the project, according to its own files. */
export const BuildFact = z.object({
  kind: z.enum(['build', 'test', 'lint', 'types', 'format']),
  value: z.string().describe('A command, to be run in the folder; else a name.'),
  folder: z.string().describe('Relative to the repository root; empty for the root.'),
  language: z
    .string()
    .nullable()
    .describe('The family of languages that a command is for; null for any.'),
  source: z.string().describe('The file or folder that says so.'),
});
export type BuildFact = z.infer<typeof BuildFact>;

/** The estimated tokens of one found file: of its best part, and of the whole. */
export const TokenEstimate = z.object({
  path: z.string(),
  range: z.int().min(0),
  file: z.int().min(0),
});
export type TokenEstimate = z.infer<typeof TokenEstimate>;

/** A file that goes with a found one. */
export const Companion = z.object({
  path: z.string(),
  kind: z.enum(['test', 'errors', 'types', 'documentation']),
  of: z.string().describe('The found file.'),
});
export type Companion = z.infer<typeof Companion>;

/** The answers of the search to queries of every task, as sentences. */
export const ContextAnswers = z.object({
  implementations: z.array(z.string()).describe('Existing implementations of the keywords.'),
  integration_points: z.array(z.string()).describe('Places where the found code is used.'),
});
export type ContextAnswers = z.infer<typeof ContextAnswers>;

export const ProviderFall = z.object({
  provider: z.string(),
  reason: z.string(),
  ms: z.number().min(0).optional().describe('How long it took.'),
});
export type ProviderFall = z.infer<typeof ProviderFall>;

/** The commit and the uncommitted contents that a session's references are checked against. */
export const Base = z.object({
  commit: z.string().nullable().describe('Null where there is no git repository or no commit.'),
  dirty: z
    .record(z.string(), z.string())
    .describe(
      'Uncommitted files: path to the sha256 of its content, "stat" with the place and times of one of more than 1 MB, or "deleted".',
    ),
});
export type Base = z.infer<typeof Base>;

/** `codebase-context.json`: what phase 1 found. */
export const CodebaseContext = z.object({
  session_id: z.string(),
  task_description: z.string(),
  keywords: z.array(z.string()),
  standing: z
    .string()
    .optional()
    .describe('The folder where the user stood, relative to the repository root; empty for it.'),
  relevant_files: z.array(RelevantFile),
  detected_patterns: z.array(z.string()),
  architecture_insights: z
    .array(z.string())
    .describe('How the found files lie, and which of them use each other, as sentences.'),
  project_facts: z
    .array(ProjectFact)
    .describe('The project’s own facts: project-tech.json, specs, AGENTS.md.'),
  build_facts: z
    .array(BuildFact)
    .default([])
    .describe('How the project is built and tested, around the found files and at the root.'),
  companions: z
    .array(Companion)
    .optional()
    .describe('Files that go with the best ones found, such as their tests.'),
  query_answers: ContextAnswers.optional(),
  token_estimates: z
    .array(TokenEstimate)
    .default([])
    .describe('Estimates, not counts: bytes with line numbers divided by 3.2.'),
  provider: z.string(),
  degraded: z
    .boolean()
    .describe('A provider failed, or the one that answered could not look at everything.'),
  falls: z.array(ProviderFall),
  notes: z.array(z.string()).default([]).describe('Notes on the search.'),
  duration_ms: z.number().min(0),
  base: Base,
});
export type CodebaseContext = z.infer<typeof CodebaseContext>;
