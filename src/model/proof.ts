// Defines a proof, an acceptance test that is written before the plan is approved, and what its runs showed.
import { z } from 'zod';
import { FilledText, Text, TextOrNull } from './plain-shapes.ts';
import { CheckRecord } from './check-record.ts';

const text = Text;

/** One acceptance test as its author returns it. */
export const Proof = z.object({
  id: Text.regex(/^P[1-9]\d?$/).describe('P1, P2, … in order.'),
  path: FilledText.describe('A new file, from the root of the repository.'),
  content: FilledText.describe('The whole file.'),
  argv: z.array(text).min(1).describe('Runs this file alone, from `folder`; never a shell string.'),
  folder: text.describe('Where `argv` runs, from the root of the repository; "." for the root.'),
  sentence: FilledText.describe('What it shows, in one sentence.'),
  for: FilledText.describe(
    'What it stands for: words of the request or of an answer, or an objection (O3).',
  ),
  expect_today: z.enum(['fails', 'holds']),
  needs: z
    .array(z.object({ name: FilledText, path: text }))
    .describe('The names that it uses and that are not there yet, each with its file.'),
});
export type Proof = z.infer<typeof Proof>;

/** The question that only a person answers, or a program that stands for one. */
export const proofConsent = {
  name: 'Proof',
  asks: 'May acceptance tests be written and run before you approve the plan?',
};

/** The most proofs of one session. */
export const mostProofs = 12;

/** Something that no test can show, with what guards it instead. */
export const Unproven = z.object({ what: text, guarded_by: z.array(text) });
export type Unproven = z.infer<typeof Unproven>;

/** The answer of the author. */
export const ProofAnswer = z.object({
  session: text.describe('The session id from the question.'),
  phase: z.literal('proof'),
  proofs: z.array(Proof).max(mostProofs),
  unproven: z.array(Unproven).describe('What cannot be tested, with the checks that guard it.'),
});
export type ProofAnswer = z.infer<typeof ProofAnswer>;

/** What the runs of one proof at the base showed. */
export const ProofResult = z.object({
  id: Proof.shape.id,
  state: z
    .enum(['fails', 'holds', 'cannot-run', 'unsteady'])
    .describe('`cannot-run`: it showed nothing. `unsteady`: its two runs ended differently.'),
  why: text.describe('The line of the output that tells it, or why it could not run.'),
  runs: z.array(CheckRecord),
});
export type ProofResult = z.infer<typeof ProofResult>;

/** A proof as the plan carries it: everything but its code, which stands in `proof/tests/`. */
export const PlannedProof = Proof.omit({ content: true }).extend({
  state: z.enum(['fails', 'holds']).describe('`holds`: a guard, which passes today.'),
  why: ProofResult.shape.why,
  hash: text.describe('sha256 over its code and how it runs.'),
  author: text.describe('The agent that wrote it; "user" where a person changed it last.'),
  vendor: text.nullable().describe('The vendor of the model that wrote it; null if unknown.'),
});
export type PlannedProof = z.infer<typeof PlannedProof>;

/** A planned proof with its code, as planner and readers see it. */
export const PackagedProof = PlannedProof.extend({ content: text });
export type PackagedProof = z.infer<typeof PackagedProof>;

/** What people are told of a proof. */
export const ToldProof = PlannedProof.pick({
  id: true,
  path: true,
  sentence: true,
  state: true,
  why: true,
});

/** A proof that does not count, with the reason. */
export const DroppedProof = Proof.pick({ id: true, sentence: true }).extend({ why: text });
export type DroppedProof = z.infer<typeof DroppedProof>;

/** `proof/proof.json`: what the phase came to. */
export const ProofSet = z.object({
  author: text.nullable().describe('The agent that wrote the tests; null where none were made.'),
  vendor: PlannedProof.shape.vendor,
  note: text.describe(
    'What a person should know of the author, or why there is no proof; or empty.',
  ),
  set_up: z.array(text).readonly().describe('The commands that prepared the copy.'),
  proofs: z.array(PackagedProof),
  dropped: z.array(DroppedProof),
  unproven: z.array(Unproven),
});
export type ProofSet = z.infer<typeof ProofSet>;

/** What a proof finds in the copy in which it runs, before one is written. */
export const CopyFacts = z.object({
  obstacle: TextOrNull.describe('Why nothing can run in it; null if something can.'),
  installed: z.array(text).describe('The folders with programs that only the project has.'),
});
export type CopyFacts = z.infer<typeof CopyFacts>;

/** What became of all proofs at the base. */
export const ProofRuns = z.object({
  results: z.array(ProofResult).describe('One for each proof, in their order.'),
  obstacle: TextOrNull.describe('Why nothing ran at all, as a sentence; null if it did.'),
});
export type ProofRuns = z.infer<typeof ProofRuns>;
