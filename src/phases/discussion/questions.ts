import { randomBytes } from 'node:crypto';
import type { CodebaseContext } from '../../model/context.ts';
import { Examination, type ProposedSolution, Proposal } from '../../model/proposal.ts';
import type { Solution, Synthesis } from '../../model/synthesis.ts';
import { examinePrompt } from '../../prompts/examine.ts';
import { type Excerpts, readExcerpts } from '../../prompts/excerpts.ts';
import { proposePrompt } from '../../prompts/propose.ts';
import { promptLimit, type Question } from '../asking/ask-agent.ts';
import type { Tools } from '../tools.ts';

/** How much code a prompt quotes, in bytes. */
const excerptLimits = { eachBytes: 6_000, totalBytes: 48_000 };

export interface RoundQuestion {
  readonly number: number;
  readonly group: string;
  readonly task: string;
  readonly context: CodebaseContext;
  readonly settings: { readonly constraints: readonly string[] };
  readonly feedback: readonly string[];
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
}

/** Round 1, blind: every agent is asked for its own solutions. */
export function proposeQuestion(round: RoundQuestion, tools: Tools): Question<Proposal> {
  const common = commonParts(round, tools);
  return {
    ...common.question,
    name: 'propose',
    phase: 'propose',
    meaning: { task: round.task, round: round.number },
    schema: 'proposal',
    shape: Proposal,
    summaryOf: ({ solutions }) => solutions.map(({ name }) => name).join('; '),
    promptFor: async (agent) => proposePrompt(await common.prompt(agent, 'proposal')),
  };
}

/** Round 2 on: every agent derives again and takes a stance on what the others proposed. */
export function examineQuestion(
  round: RoundQuestion & { readonly previous: Synthesis },
  tools: Tools,
): Question<Examination> {
  const { previous, feedback, answers } = round;
  const common = commonParts(round, tools);
  return {
    ...common.question,
    name: 'examine',
    phase: 'examine',
    meaning: {
      task: round.task,
      round: round.number,
      feedback,
      answers,
      solutions: previous.solutions.map(({ id, name, label }) => ({ id, name, label })),
    },
    schema: 'examination',
    shape: Examination,
    summaryOf: ({ stances, revision }) =>
      [
        ...stances.map(({ stance, solution }) => `${stance} ${solution}`),
        ...(revision === null ? [] : [`revised: ${revision.name}`]),
      ].join('; '),
    async promptFor(agent) {
      return examinePrompt({
        ...(await common.prompt(agent, 'examination')),
        solutions: previous.solutions.filter(({ source_cli }) => source_cli.join() !== agent),
        own: ownSolution(previous, agent),
        failedClaims: failedClaims(previous, agent),
        disagreements: previous.cross_verification.disagreements,
        hide: namesIn(previous, tools),
      });
    },
  };
}

function commonParts(round: RoundQuestion, tools: Tools) {
  let excerpts: Promise<Excerpts> | null = null;
  const { number, task, context, feedback, answers } = round;
  const { constraints } = round.settings;
  return {
    question: {
      group: round.group,
      round: number,
      task,
      context,
      constraints,
      folderFor: (agent: string) => `rounds/${number}/agents/${agent}`,
      expected: { session: tools.folder.id, round: number },
    },
    async prompt(agent: string, schema: 'proposal' | 'examination') {
      const read = (path: string) => tools.repository.read(path);
      excerpts ??= readExcerpts(context.relevant_files, read, excerptLimits);
      return {
        session: tools.folder.id,
        round: number,
        schema: tools.schemas.schema(schema),
        nonce: randomBytes(8).toString('hex'),
        maxBytes: promptLimit(tools, agent),
        task,
        context,
        constraints,
        role: null,
        feedback,
        answers,
        excerpts: await excerpts,
      };
    },
  };
}

/** What an agent itself proposed last, without what the others added to it. */
function ownSolution(previous: Synthesis, agent: string): ProposedSolution | null {
  const own = previous.solutions.find(({ source_cli }) => source_cli.includes(agent));
  if (own === undefined) return null;
  const { name, summary, feasibility, effort, risk, implementation_plan, dependencies } = own;
  const { technical_concerns, pros, cons } = own;
  const plan = { implementation_plan, dependencies, technical_concerns, pros, cons };
  const claims = own.claims.filter((claim) => claim.agent === agent);
  return { name, summary, feasibility, effort, risk, ...plan, claims };
}

function failedClaims(previous: Synthesis, agent: string) {
  const claims = previous.solutions.flatMap((solution: Solution) => solution.claims);
  const failed = claims.filter(({ status }) => status === 'failed');
  return {
    own: failed.filter((claim) => claim.agent === agent),
    others: failed.filter((claim) => claim.agent !== agent),
  };
}

/** Names by which an agent could be recognised in another one’s words. */
function namesIn(previous: Synthesis, tools: Tools): readonly string[] {
  const taking = previous.receipts.flatMap(({ model, vendor }) => [model, vendor]);
  const models = tools.agents.models().map(({ name }) => name);
  return [...models, ...taking].filter((name) => name !== null);
}
