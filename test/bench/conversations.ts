import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openHistory } from '../../src/store/history.ts';
import { type Rig, fixture, makeRig, program } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import { type Row, medians, timed } from './measure.ts';

/** A turn against the bare CLI, the search of many turns, many conversations at once. */
export async function* conversationRows(short: boolean): AsyncGenerator<Row> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    yield await turnRow(rig, short ? 3 : 7);
    yield* await searchRows(rig, short ? 5 : 15);
    yield manyRow(rig);
  } finally {
    rig.remove();
  }
}

/** The model of a short turn takes this long, in ms. */
const turnMs = 5000;

async function turnRow(rig: Rig, turns: number): Promise<Row> {
  const store = join(rig.home, 'claude.store');
  const args = [fixture('talker'), store];
  writeFileSync(store, '{}');
  rig.config(`[agents.claude]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
`);
  const own = { cwd: rig.repo, env: rig.environment };
  const message = { role: 'user', content: `wait ${turnMs}` };
  const input = `${JSON.stringify({ type: 'user', message })}\n`;
  const work = ['work', '--agent', 'claude', `wait ${turnMs}`];
  const run = (words: readonly string[], given = '') =>
    timed(() => execFileSync(process.execPath, words, { ...own, input: given, stdio: 'pipe' }));
  const median = await medians(turns, async () => ({
    bare: await run([...args, '--session-id', 'bare'], input),
    ours: await run([program, ...work]),
  }));
  return {
    name: `work, a turn of ${turnMs / 1000} s`,
    value: median('ours'),
    unit: 'ms',
    floor: [median('bare'), 'the bare CLI'],
    limit: 1.15,
  };
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
function manyRow({ repo, environment: env }: Rig): Row {
  const script = new URL('../fixtures/conversations/many-talks.ts', import.meta.url).pathname;
  const told = execFileSync(process.execPath, [script, repo, '100'], { env, encoding: 'utf8' });
  const { idle, peak } = z.object({ idle: z.number(), peak: z.number() }).parse(JSON.parse(told));
  return {
    name: '100 conversations at once',
    value: peak,
    unit: 'MB',
    floor: [idle, 'after one'],
    limit: 3,
  };
}
