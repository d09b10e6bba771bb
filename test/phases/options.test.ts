import { describe, expect, test } from 'vitest';
import { SessionEvent } from '../../src/model/event.ts';
import { type Solution, Synthesis } from '../../src/model/synthesis.ts';
import { optionsOf, uncertaintyOf } from '../../src/phases/present-options.ts';
import { samplesOf } from '../helpers/samples.ts';
import { affected, packageOf } from './planning/samples.ts';

const chosen = { ...packageOf().solution, versions: [] };
const { implementation_plan: implementation, dependencies } = packageOf();

function solutionOf(over: Partial<Solution> = {}): Solution {
  return {
    ...chosen,
    id: 'S1',
    label: 'A',
    implementation_plan: implementation,
    dependencies,
    technical_concerns: [],
    pros: ['one place'],
    cons: ['tests clear it'],
    affected_files: [
      affected('src/load.ts', { line: 12 }),
      affected('src/cli.ts', { line: 40, status: 'moved' }),
      affected('src/cache.ts', { action: 'create', status: 'planned' }),
      affected('src/gone.ts', { line: 1, status: 'failed' }),
    ],
    claims: [],
    stances: [],
    rank_score: 1,
    ...over,
  };
}

const sample = Synthesis.parse(samplesOf('synthesis').good[0]);

function synthesisOf(over: Partial<Synthesis> = {}): Synthesis {
  return {
    ...sample,
    solutions: [solutionOf()],
    convergence: {
      score: 0.5,
      new_insights: false,
      recommendation: 'continue',
      vendors: ['openai', 'google'],
      reasons: [],
    },
    cross_verification: { agreements: ['a'], disagreements: ['b', 'c'], resolution: '' },
    unanswered: [],
    ...over,
  };
}

describe('the options', () => {
  test('show each solution with sources, figures, trade-offs and marked places', () => {
    const options = optionsOf({
      synthesis: synthesisOf(),
      uncertainty: 'unsure',
      answers: [],
      asked: null,
    });
    expect(SessionEvent.parse(options)).toEqual(options);
    expect(options).toMatchObject({ uncertainty: 'unsure', agreements: 1, disagreements: 2 });
    expect(options.options).toMatchObject([
      {
        number: 1,
        name: 'Memoize the loader',
        source_cli: ['codex'],
        feasibility: 0.8,
        effort: 'low',
        risk: 'low',
        draft: false,
        summary: 'Keep the parsed configuration in memory.',
        pros: ['one place'],
        cons: ['tests clear it'],
        affected: [
          'src/load.ts:12 found',
          'src/cli.ts:40 moved',
          'src/cache.ts planned',
          'src/gone.ts:1 failed',
        ],
        opinions: [],
        failed: ['src/gone.ts, to modify'],
        differences: [],
        versions: [],
      },
    ]);
  });

  test('stand below each open question with what the agents assumed, and the replies to the user', () => {
    const synthesis = synthesisOf({
      agents_questions: ['Which colour shall it have?', 'How large is it?'],
      assumptions: [
        {
          question: 'Which colour shall it have?',
          assumption: 'Blue.',
          agents: ['codex', 'claude'],
        },
      ],
      replies: [{ agent: 'codex', text: 'Half a day.' }],
    });
    const options = optionsOf({ synthesis, uncertainty: null, answers: [], asked: 'How long?' });
    expect(options).toMatchObject({
      assumed: ['codex and claude assumed: Blue', ''],
      asked: 'How long?',
      replies: ['codex: Half a day'],
    });
  });
});

const uncertain = (over: Partial<Synthesis>) => uncertaintyOf(synthesisOf(over));

describe('the uncertainty', () => {
  test('is null where the agents converged', () => {
    const { convergence } = synthesisOf();
    const converged = { ...convergence, recommendation: 'converged' as const };
    expect(uncertain({ convergence: converged })).toBeNull();
  });

  test('says that one vendor is not enough', () => {
    const { convergence } = synthesisOf();
    expect(uncertain({ convergence: { ...convergence, vendors: ['openai'] } })).toContain(
      'Only one vendor (openai) answered, and an agreement needs a second one; so another round is held only if you ask for it.',
    );
    expect(uncertain({ convergence: { ...convergence, vendors: [] } })).toContain(
      'Only models of an unknown vendor answered',
    );
  });

  test('says that only built-in analysts answered', () => {
    const estimate = { agent: 'structure', kind: 'analyst', sound: 1, failed: 0 } as const;
    const values = { feasibility: 0.5, effort: 'medium', risk: 'medium' } as const;
    const drafted = solutionOf({ estimates: [{ ...estimate, ...values }] });
    expect(uncertain({ solutions: [drafted] })).toContain('Only built-in analysts answered');
  });

  test('says that nobody answered', () => {
    expect(uncertain({ receipts: [] })).toContain('No agent answered in the last round.');
  });
});

function supports(agent: string): Solution['stances'][number] {
  const reasons = ['Only src/load.ts changes, and the loader is memoized in one place.'];
  return { agent, stance: 'support', reasons, evidence: [], reason: null };
}

describe('the line above the options', () => {
  const [sampleReceipt] = sample.receipts;
  if (sampleReceipt === undefined) throw new Error('the sample has no receipt');
  const receipts = ['anthropic', 'google', 'openai'].map((agent) => {
    return { ...sampleReceipt, agent, seat: agent, vendor: agent, failure: null };
  });
  const first = solutionOf({ stances: [supports('anthropic'), supports('openai')] });

  test('counts who supports the first, and says what the others want', () => {
    const second = solutionOf({ id: 'S2', label: 'B', preferred_by: ['google'] });
    const synthesis = synthesisOf({ round: 3, receipts, solutions: [first, second], remarks: [] });
    expect(uncertaintyOf(synthesis)).toBe(
      'No agreement: 2 of 3 support option 1, google prefers option 2.',
    );
    const alone = { ...synthesis, solutions: [{ ...first, stances: [supports('openai')] }] };
    expect(uncertaintyOf(alone)).toBe(
      'No agreement: 1 of 3 support option 1, anthropic and google support none of them.',
    );
  });

  test('does not count support that is no vote', () => {
    const unfounded = { ...supports('openai'), reason: 'no evidence was found' };
    const solutions = [{ ...first, stances: [supports('anthropic'), unfounded] }];
    const synthesis = synthesisOf({ round: 3, receipts, solutions, remarks: [] });
    expect(uncertaintyOf(synthesis)).toBe(
      'No agreement: 1 of 3 support option 1, google supports none of them, openai supports it without a vote that counts.',
    );
  });

  test('leaves out who did not answer, which has a line of its own', () => {
    const unanswered = [{ agent: 'bob', category: 'cancelled', reason: 'skipped' }] as const;
    const synthesis = synthesisOf({
      round: 3,
      receipts,
      solutions: [first],
      unanswered: [...unanswered],
    });
    const uncertainty = uncertaintyOf(synthesis);
    expect(uncertainty).not.toContain('bob');
    const options = optionsOf({ synthesis, uncertainty, answers: [], asked: null });
    expect(options.missing).toContain('you skipped bob');
  });
});
