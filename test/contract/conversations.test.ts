import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rig } from '../helpers/rig.ts';
import { askJson } from '../helpers/talk-rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { type CliName, cliNames, realClis } from './real-clis.ts';
import { configureClis } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** The real CLIs, each of whose models answers with the number of its turn. */
async function talkingClis(more: Readonly<Partial<Record<CliName, string>>> = {}): Promise<Rig> {
  const rig = await todoRig();
  configureClis(rig, { url: server.url, names: cliNames, more });
  rig.config(`${rig.configured()}
[agents.judge]
provider = "compatible"
base_url = "${server.url}/api/v1"
model = "stub-judge"
`);
  server.fallback(({ prompt }) => {
    const numbers = Array.from(prompt.matchAll(/question-(\d+)-end/g), ([, number]) => number);
    return { kind: 'text', text: `answer-${numbers.at(-1)}-end` };
  });
  return rig;
}

const question = (turn: number) => `question-${turn}-end`;

/** The texts of the user that the model was sent with this question, which is the last of them. */
function sentWith(turn: number): string {
  const asked = server.log.filter(({ prompt, tools }) => {
    return prompt.includes(question(turn)) && tools.length > 0;
  });
  return asked.at(-1)?.prompt ?? '';
}

const timesIn = (text: string, word: string) => text.split(word).length - 1;

async function ask(rig: Rig, turn: number, ...words: readonly string[]) {
  return await askJson(rig, ...words, '--session', 'mine', question(turn));
}

test.each(cliNames)(
  '%s goes on with its own session, in which each earlier question stands once, from another folder too',
  async (name) => {
    const rig = await talkingClis();
    const work = (turn: number, ...more: readonly string[]) =>
      ask(rig, turn, 'work', '--agent', name, '--model', realClis[name].model, ...more);
    expect(await work(1)).toMatchObject({ code: 0, agent: name, text: 'answer-1-end' });
    const second = await work(2);
    expect(second).toMatchObject({ code: 0, text: 'answer-2-end', used_resume_flag: true });
    expect(second.context_source).toBe('native');
    expect([1, 2].map((turn) => timesIn(sentWith(2), question(turn)))).toEqual([1, 1]);
    expect(await work(3, '-C', 'src')).toMatchObject({ code: 0, text: 'answer-3-end' });
    expect([1, 2, 3].map((turn) => timesIn(sentWith(3), question(turn)))).toEqual([1, 1, 1]);
  },
);

/** Below a user’s home, where each keeps its sessions; opencode has one database for all. */
const usualSessions = {
  claude: '.claude/projects',
  codex: '.codex/sessions',
  gemini: '.gemini/tmp',
  copilot: '.copilot/session-state',
} as const;

test.each(['claude', 'codex', 'gemini', 'copilot'] as const)(
  '%s in a home of its own goes on with its session, which is kept with the conversation and goes with it',
  async (name) => {
    const rig = await talkingClis({ [name]: 'isolation = "home"' });
    const work = (turn: number) =>
      ask(rig, turn, 'work', '--agent', name, '--model', realClis[name].model);
    expect(await work(1)).toMatchObject({ code: 0, agent: name, text: 'answer-1-end' });
    const second = await work(2);
    expect(second).toMatchObject({ code: 0, text: 'answer-2-end', context_source: 'native' });
    expect([1, 2].map((turn) => timesIn(sentWith(2), question(turn)))).toEqual([1, 1]);
    const usual = join(rig.home, usualSessions[name]);
    expect(existsSync(usual) ? readdirSync(usual) : []).toEqual([]);
    const talks = join(rig.home, 'data/conclave/conversations');
    const kept = () => readdirSync(talks, { recursive: true, encoding: 'utf8' });
    expect(kept().some((path) => path.includes(`/mine/homes/${name}/`))).toBe(true);
    expect(await rig.conclave('sessions', 'rm', '-y', 'mine')).toMatchObject({ code: 0 });
    expect(kept().filter((path) => path.includes('mine'))).toEqual([]);
  },
);

test('after five changes of agent each earlier turn stands once in what the model is sent', async () => {
  const rig = await talkingClis();
  const agents = [...cliNames, cliNames[0]];
  for (const [at, name] of agents.entries()) {
    const turn = at + 1;
    const end = await ask(rig, turn, 'work', '--agent', name, '--model', realClis[name].model);
    expect(end).toMatchObject({ code: 0, agent: name, text: `answer-${turn}-end` });
    const sent = sentWith(turn);
    const all = Array.from({ length: turn }, (_, index) => index + 1);
    expect(all.map((one) => timesIn(sent, question(one)))).toEqual(all.map(() => 1));
    // Its own answers stand in its session, those of others in the request.
    const others = all.slice(0, -1).filter((one) => agents[one - 1] !== name);
    expect(others.map((one) => timesIn(sent, `answer-${one}-end`))).toEqual(others.map(() => 1));
  }
});

test('what a model was consulted about by its API is handed to a CLI that works, and consulted again', async () => {
  const rig = await talkingClis();
  expect(await ask(rig, 1, 'consult', '--agent', 'judge')).toMatchObject({
    code: 0,
    agent: 'judge',
  });
  expect(await ask(rig, 2, 'consult', '--agent', 'judge')).toMatchObject({ code: 0, turn: 2 });
  const consulted = server.log.filter(({ dialect }) => dialect === 'api').at(-1)?.prompt ?? '';
  expect([1, 2].map((turn) => timesIn(consulted, question(turn)))).toEqual([1, 1]);
  const model = realClis.claude.model;
  expect(await ask(rig, 3, 'work', '--model', model)).toMatchObject({
    agent: 'claude',
    context_source: 'history',
  });
  expect([1, 2, 3].map((turn) => timesIn(sentWith(3), question(turn)))).toEqual([1, 1, 1]);
  expect(sentWith(3)).toContain('## Turn 1: judge (stub-judge)\nanswer-1-end');
});

test.each(['claude', 'codex'] as const)('%s is given the schema of the answer', async (name) => {
  const rig = await talkingClis();
  const schema = {
    type: 'object',
    properties: { ready: { type: 'boolean' } },
    required: ['ready'],
    additionalProperties: false,
  };
  rig.write('verdict.json', JSON.stringify(schema));
  server.fallback(() => ({ kind: 'structured', value: { ready: true } }));
  const asked = ['consult', '--agent', name, '--format', 'verdict.json'];
  const end = await ask(rig, 1, ...asked, '--model', realClis[name].model);
  expect(end).toMatchObject({ code: 0, notes: [expect.stringMatching(/^new conversation/)] });
  expect(JSON.parse(end.text)).toEqual({ ready: true });
  const last = server.log.at(-1);
  const isTool = last?.tools.includes('StructuredOutput') === true;
  expect(isTool || JSON.stringify(last?.schema ?? null).includes('ready')).toBe(true);
});
