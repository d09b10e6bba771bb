import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEnd } from '../../src/agents/agent.ts';
import { answerOf, cliBench, read, text } from './cli-bench.ts';
import { cliNames, realClis } from './real-clis.ts';

describe.each(cliNames)('a session of %s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);

  /** How to go on with what a run began. */
  const after = ({ facts: { agentSession, tokens } }: AgentEnd) => ({
    agentSession: agentSession ?? '',
    cwd: bench.room.repo,
    ...(tokens === null ? {} : { spent: tokens }),
  });

  test('is gone on with from its id, and only the new tokens count', async () => {
    // With a model: without one, one CLI asks first which it shall be.
    const first = await bench.ask(bench.scripted(text('One.')), { model: cli.model });
    const { agentSession, tokens } = first.end.facts;
    const { end } = await bench.ask(bench.scripted(text('Two.')), {
      resume: after(first.end),
      role: 'Be brief.',
      model: cli.model,
    });
    bench.keep('resumed');
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts).toMatchObject({ agentSession, tokens });
    const { model, system, prompt } = bench.server.log.at(-1) ?? {};
    expect(model).toBe(cli.model.split('/').at(-1));
    expect(prompt).toMatch(/scenario[^]*scenario/);
    expect(`${system}${prompt}`).toContain('Be brief.');
  });

  test('is gone on with in the folder where it began', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const cwd = join(bench.room.repo, 'src');
    const prompt = bench.scripted(read(join(cwd, 'list.js')), text('Two.'));
    const { end } = await bench.ask(prompt, { cwd, resume: after(first.end) });
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts.agentSession).toBe(first.end.facts.agentSession);
    expect(bench.server.log.at(-1)?.toolResults.join()).toContain('export const list');
  });

  test.each(['01a1fd7a-0000-4000-8000-000000000000', 'no-such-session'])(
    'that nobody began is lost, not begun anew: %s',
    async (agentSession) => {
      // Who waits for this answer runs into the time limit instead.
      const inVain = bench.scripted({ kind: 'hang', when: 'before' });
      const resume = { agentSession, cwd: bench.room.repo };
      const lost = async () => {
        const { end } = await bench.ask(inVain, { resume });
        expect(answerOf(end)).toMatchObject({ category: 'session-lost', agent: name });
      };
      await lost();
      // Nor is another one taken in its place.
      await bench.ask(bench.scripted(text('One.')));
      await lost();
    },
  );

  test('has an id of ours where it can have one, another for each run', async () => {
    const runs = ['One.', 'Two.'].map((words) => bench.room.request(bench.scripted(text(words))));
    const ids: (string | null)[] = [];
    for (const { prompt, mark } of runs) {
      const { end } = await bench.ask(prompt, { mark });
      ids.push(end.facts.agentSession);
    }
    expect(new Set(ids).size).toBe(2);
    const chosen = runs.map((request) => cli.adapter.argv(request).join(' '));
    // Some have no flag for it, so that nothing of the kind may be asked for.
    const { takesId: isChosen } = cli;
    expect(chosen.map((line, run) => line.includes(ids[run] ?? '-'))).toEqual([isChosen, isChosen]);
    expect(chosen.some((line) => line.includes('--session-id'))).toBe(isChosen);
  });
});
