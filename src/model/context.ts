// Defines `codebase-context.json`, and the base.
import { z } from 'zod';
import { Amount, Flag, Ordinal, Text, TextOrNull, Texts } from './plain-shapes.ts';

export const RelevantFile = z.object({
  path: Text.describe('Relative to the repository root, with forward slashes.'),
  start: Ordinal.describe('First line of the best part, counted from 1.'),
  end: Ordinal.describe('Last line of the best part.'),
  parts: z
    .array(z.object({ start: Ordinal, end: Ordinal }))
    .optional()
    .describe('Further parts that matter, best first; absent where there is none.'),
  symbols: Texts.describe('Names defined in or near that part.'),
  score: Amount.describe('Higher is better; only comparable within one search.'),
  reasons: Texts.describe('Why the file was chosen, in words.'),
});
export type RelevantFile = z.infer<typeof RelevantFile>;

/** A text of the project about itself, e.g. from `AGENTS.md`. `source` is a path. */
export const ProjectFact = z.object({
  source: Text,
  text: Text,
  kind: z
    .literal('conversation')
    .optional()
    .describe('The conversation that led to the task; absent for what the project says of itself.'),
});
export type ProjectFact = z.infer<typeof ProjectFact>;

/** Commands that build and test one part of the project, according to its own files. */
export const BuildFact = z.object({
  kind: z.enum(['build', 'test', 'lint', 'types', 'format']),
  value: Text.describe('A command, to be run in the folder; else a name.'),
  folder: Text.describe('Relative to the repository root; empty for the root.'),
  language: TextOrNull.describe('The family of languages that a command is for; null for any.'),
  source: Text.describe('The file or folder that says so.'),
  lacks: Text.optional().describe('The program of the command, if it is not installed here.'),
});
export type BuildFact = z.infer<typeof BuildFact>;

/** The answers of the search to queries of every task, as sentences. */
export const ContextAnswers = z.object({
  implementations: Texts.describe('Existing implementations of the keywords.'),
  integration_points: Texts.describe('Places where the found code is used.'),
});
export type ContextAnswers = z.infer<typeof ContextAnswers>;

export const ProviderFall = z.object({
  provider: Text,
  reason: Text,
  ms: Amount.optional().describe('How long it took.'),
});
export type ProviderFall = z.infer<typeof ProviderFall>;

/** The commit and the uncommitted contents that a session's references are checked against. */
export const Base = z.object({
  commit: TextOrNull.describe('Null where there is no git repository or no commit.'),
  dirty: z
    .record(Text, Text)
    .describe(
      'Uncommitted files: path to the sha256 of its content, "stat" with the place and times of one of more than 1 MB, or "deleted".',
    ),
});
export type Base = z.infer<typeof Base>;

/** `codebase-context.json`: what phase 1 found. */
export const CodebaseContext = z.object({
  session_id: Text,
  task_description: Text,
  keywords: Texts,
  standing: Text.optional().describe(
    'The folder where the user stood, relative to the repository root; empty for it.',
  ),
  relevant_files: z.array(RelevantFile),
  detected_patterns: Texts,
  architecture_insights: Texts.describe('How the found files lie, as sentences.'),
  project_facts: z
    .array(ProjectFact)
    .describe('The project’s own facts: project-tech.json, specs, AGENTS.md.'),
  build_facts: z
    .array(BuildFact)
    .default([])
    .describe('How the project is built and tested, around the found files and at the root.'),
  query_answers: ContextAnswers.optional(),
  provider: Text,
  degraded: Flag.describe(
    'A provider failed, or the one that answered could not look at everything.',
  ),
  falls: z.array(ProviderFall),
  notes: Texts.default([]).describe('Notes on the search.'),
  duration_ms: Amount,
  base: Base,
});
export type CodebaseContext = z.infer<typeof CodebaseContext>;
