// Writes the requests to the author of proofs: for the tests, and for those that come back.
import type { ContextPackage } from '../model/context-package.ts';
import type { Proof } from '../model/proof.ts';
import { redactOutput } from '../model/secrets.ts';
import { type ProjectWords, wordsData } from './context-text.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import { requestOfPackage, shortJson } from './plan-prompt.ts';
import { type PromptInput, bullets, promptText } from './request.ts';

interface ProofRequest extends PromptInput {
  readonly package: ContextPackage;
}

/** The request for acceptance tests: the request, what the decision is to do, and tests of the project. */
export function proofPrompt(
  input: ProofRequest &
    ProjectWords & {
      readonly tests: Excerpts;
      /** What a proof finds where it runs. */
      readonly copy: object;
    },
): string {
  return promptText(input, {
    template: 'proof',
    phase: 'proof',
    request: requestOfPackage(input.package),
    data: {
      ...wordsData(input),
      decision: ['decision', behaviourText(input.package, input.copy)],
      excerpts: ['tests', excerptsText(input.tests)],
    },
  });
}

/** A proof that comes back to its author: what its runs showed, or what a person says of it. */
export interface ReturnedProof {
  /** Null for all of them. */
  readonly id: string | null;
  readonly problem: string;
  /** The end of what its runner printed; empty if nothing ran. */
  readonly output: string;
}

/** The most characters of what a runner printed, and of one of its lines. */
const mostOutput = 4_000;
const mostOfLine = 300;

/** The request to the author for the tests that come back. */
export function proofReturnPrompt(
  input: ProofRequest & {
    readonly proofs: readonly Proof[];
    readonly returned: readonly ReturnedProof[];
  },
): string {
  const problems = input.returned.map(({ id, problem, output }) => {
    const lines = redactOutput(output.trim()).split('\n');
    const shown = lines
      .map((line) => line.slice(0, mostOfLine))
      .join('\n')
      .slice(-mostOutput);
    const printed = shown === '' ? '' : `\nIts output:\n${shown}`;
    return `${id ?? 'All of them'}: ${problem}${printed}`;
  });
  return promptText(input, {
    template: 'proof-return',
    phase: 'proof',
    repair: true,
    request: requestOfPackage(input.package),
    data: {
      decision: ['decision', behaviourText(input.package)],
      proofs: ['tests', input.proofs.map((proof) => JSON.stringify(proof)).join('\n')],
      problems: ['problems', bullets(problems)],
    },
  });
}

/** What the decided solution is to do, and what was said against it. Its tasks would bend the tests to one way. */
function behaviourText(contextPackage: ContextPackage, copy?: object): string {
  const { solution, open_questions, build_facts, remarks = [], assumptions = [] } = contextPackage;
  const { name, summary } = solution;
  const open = remarks.filter(({ kind, state }) => kind === 'objection' && state !== 'withdrawn');
  return shortJson({
    solution: { name, summary },
    objections: open.map(({ id, text }) => ({ id, text })),
    assumptions: assumptions.map(({ question, assumption }) => ({ question, assumption })),
    open_questions,
    build_facts,
    copy,
  });
}
