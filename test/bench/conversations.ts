import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openHistory } from '../../src/store/history.ts';
import { type Rig, fixture, makeRig, program } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import { type Row, bareMemory, medians, timed, useOf } from './measure.ts';

/** A turn against the bare CLI, the search of many turns, many conversations at once. */
export async function* conversationRows(short: boolean): AsyncGenerator<Row> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    yield* turnRows(rig, short ? 7 : 15);
    yield* await searchRows(rig, short ? 5 : 15);
    yield await manyRow(rig);
  } finally {
    rig.remove();
  }
}

/** What a question to an agent that answers at once takes above that agent, against an empty Node. */
async function* turnRows(rig: Rig, turns: number): AsyncGenerator<Row> {
  const store = join(rig.home, 'claude.store');
  // A program of its own, as people have it: one with arguments of the user is asked for its version each time.
  const agent = join(rig.home, 'claude');
  const words = [process.execPath, fixture('talker'), store].map((word) => `'${word}'`);
  writeFileSync(agent, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
  writeFileSync(store, '{}');
  rig.config(`[agents.claude]\npath = ${JSON.stringify(agent)}\n`);
  const own = { cwd: rig.repo, env: rig.environment };
  const message = { role: 'user', content: 'wait 0' };
  const input = `${JSON.stringify({ type: 'user', message })}\n`;
  for (const [tool, limit] of [
    ['consult', 4.5],
    ['work', 6],
  ] as const) {
    const call = [process.execPath, program, tool, '--agent', 'claude', 'wait 0'];
    const median = await medians(turns, async () => {
      const node = useOf([process.execPath, '-e', '0'], own);
      const bare = useOf([agent, '--session-id', 'bare'], { ...own, input });
      const ours = useOf(call, own);
      return {
        node: node.ms,
        above: ours.ms - bare.ms,
        nodeCpu: node.cpu,
        aboveCpu: ours.cpu - bare.cpu,
      };
    });
    const floor = [median('node'), 'node -e 0'] as const;
    const cpu = median('aboveCpu') / median('nodeCpu');
    yield {
      name: `${tool}, above its agent`,
      value: median('above'),
      unit: 'ms',
      floor,
      limit,
      cpu,
    };
  }
}

const count = 10_000;
const at = '2026-11-25T08:00:00.000Z';

/** Turns as a database, and the same texts as files for `grep`. */
async function searchRows(rig: Rig, turns: number): Promise<Row[]> {
  const file = join(rig.home, 'many/history.db');
  const folder = join(rig.home, 'many/files');
  mkdirSync(folder, { recursive: true });
  const history = await openHistory(file);
  for (let number = 1; number <= count; number += 1) {
    const text = textOf(number);
    writeFileSync(join(folder, `${number}.txt`), text);
    const key = { project: '/p', session: `s${number % 100}` };
    const turn = history.begin(key, {
      tool: 'work',
      agent: 'claude',
      question: 'q',
      at,
      mark: 'm.',
    });
    const rest = { state: 'answered', facts: '{}', injected: '', role: '', memory: null } as const;
    history.end(key, { number: turn, answer: text, at, ...rest });
  }
  history.close();
  const grep = (word: string) =>
    timed(() => execFileSync('grep', ['-rl', word, folder], { maxBuffer: 1e8 }));
  const search = (word: string) =>
    timed(async () => {
      const opened = await openHistory(file);
      if (opened.search('/p', [word], 20).length === 0) throw new Error(`${word} is not found`);
      opened.close();
    });
  const median = await medians(turns, async () => ({
    rare: await search(rareWord),
    often: await search('pelican'),
    grepRare: await grep(rareWord),
    grepOften: await grep('pelican'),
  }));
  return [
    {
      name: 'a rare word in 10,000 turns',
      value: median('rare'),
      unit: 'ms',
      floor: [median('grepRare'), 'grep -rl'],
      limit: 0.1,
    },
    {
      name: 'a word of every second of 10,000 turns',
      value: median('often'),
      unit: 'ms',
      floor: [median('grepOften'), 'grep -rl'],
      limit: 0.5,
    },
  ];
}

const rareWord = 'zanzibar';

/** About as long as a short answer, 4 kB. */
function textOf(number: number): string {
  const words = ['reads', 'the', 'parser', 'of', 'each', 'header', 'before', `part${number % 700}`];
  const lines = Array.from({ length: 80 }, (_, line) => `${words.join(' ')} ${number * line}`);
  const often = number % 2 === 0 ? 'pelican' : 'heron';
  return [...lines, often, ...(number === 7777 ? [rareWord] : [])].join('\n');
}

/** Conversations in one process, each with a model that takes a second, by what the process holds. */
async function manyRow({ repo, environment: env }: Rig): Promise<Row> {
  const script = new URL('../fixtures/conversations/many-talks.ts', import.meta.url).pathname;
  const told = execFileSync(process.execPath, [script, repo, '100'], { env, encoding: 'utf8' });
  const { peak } = z.object({ peak: z.number() }).parse(JSON.parse(told));
  const floor = [await bareMemory(), 'node -e 0'] as const;
  // Measured 4.5: the engine, and the pipes and records of a hundred runs at once.
  return { name: '100 conversations at once', value: peak, unit: 'MB', floor, limit: 5 };
}
