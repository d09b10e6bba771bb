import { setImmediate, setTimeout } from 'node:timers/promises';
import { readAnswer } from '../../agents/answer.ts';
import type { CodebaseContext } from '../../model/context.ts';
import { type ProposedSolution, Proposal } from '../../model/proposal.ts';
import type { Tools } from '../tools.ts';
import { checkProposal } from './check-references.ts';
import { synthesize } from './synthesize.ts';

/** How often the way is gone: until the engine has compiled what is on it. */
const turns = 6;
const startUpMs = 150;

/**
 * Goes the way of an answer with made-up ones while the agents think, so that compiled schemas,
 * cached files and warm code wait for the last of them and not the other way round.
 */
export async function warmRound(tools: Tools, context: CodebaseContext): Promise<void> {
  // The agents start first: they need the processor now, and none answers this soon.
  await setTimeout(startUpMs, undefined, { ref: false });
  tools.schemas.warm(['proposal', 'examination', 'synthesis']);
  for (let turn = 0; turn < turns; turn += 1) {
    // Between the turns, events of the agents have their say.
    await setImmediate();
    await rehearse(tools, context, turn);
  }
}

async function rehearse(tools: Tools, context: CodebaseContext, turn: number): Promise<void> {
  const { schemas: check, repository, folder } = tools;
  const expected = { session: folder.id, round: 1 };
  const answers = ['one', 'two', 'three'].map(async (agent, seat) => {
    const solutions = [madeUp(context, turn), madeUp(context, turn + seat + 1)];
    const text = JSON.stringify({ ...expected, solutions, questions: [] });
    const answer = readAnswer({ text, expected, schemaName: 'proposal', check, shape: Proposal });
    const read = answer.ok ? answer.value.value.solutions : [];
    const checks = read.map((solution) => checkProposal({ repository, agent, solution }));
    const voice = { agent, kind: 'model' as const, vendor: agent };
    return {
      ...voice,
      checked: await Promise.all(checks),
      stances: [],
      questions: [],
      searchTerms: [],
    };
  });
  const head = { sessionId: folder.id, round: 1, previous: null };
  const rest = { receipts: [], unanswered: [], notes: [] };
  synthesize({ ...head, answers: await Promise.all(answers), ...rest });
}

function madeUp(context: CodebaseContext, number: number): ProposedSolution {
  const found = context.relevant_files
    .slice(number % 3)
    .map(({ path, start }) => ({ file: path, line: start }));
  return {
    name: `Warm up ${number}`,
    summary: context.task_description.slice(0, 200),
    feasibility: 0.5,
    effort: 'low',
    risk: 'low',
    implementation_plan: {
      approach: context.keywords.slice(number % 2).join(' ') || 'none',
      tasks: [
        {
          id: 'T1',
          name: `Warm up ${context.keywords[number] ?? 'nothing'}`,
          depends_on: [],
          files: found.map((file) => ({ ...file, action: 'modify' })),
          key_point: null,
        },
      ],
      execution_flow: 'T1',
      milestones: [],
    },
    dependencies: { internal: [], external: [] },
    technical_concerns: [],
    pros: [],
    cons: [],
    claims: found.map(({ file, line }) => ({
      statement: 'nothing',
      path: file,
      line,
      quote: 'nothing that stands there',
    })),
  };
}
