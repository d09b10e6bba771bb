// Takes a turn in one conversation, then two in each of many at once, and prints what the process held.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, bareTraits } from '../../src/agents/agent.ts';
import { talk } from '../../src/app/conversations.ts';
import { openWorkplace } from '../../src/app/workplace.ts';
import { memoryOf } from './measure.ts';

const [cwd = '', count = ''] = process.argv.slice(2);
const words = (name: string) => `word-${name}-end`;

/** Answers with all words of the conversation that it was sent, and a long text. */
const echo: Agent = {
  name: 'echo',
  traits: bareTraits('Echo'),
  kind: 'model',
  ready: async () => ({ state: 'ready', path: null, version: null }),
  vendorOf: () => 'echo',
  // oxlint-disable-next-line require-yield
  async *run({ prompt }) {
    await sleep(1000);
    const sent = [...new Set(prompt.match(/word-\w+-end/g))].join(' ');
    const facts = {
      agentSession: null,
      model: 'echo-1',
      version: null,
      exitCode: 0,
      signal: null,
      startedAt: new Date().toISOString(),
      durationMs: 1000,
      outputBytes: 10_000,
      tokens: null,
      costUsd: null,
      unknownEvents: 0,
      filesChanged: [],
      notes: [],
    };
    return { ok: true, text: `${sent}\n${'some text of an answer '.repeat(400)}`, facts };
  },
};

const workplace = await openWorkplace({
  cwd,
  environment: process.env,
  flags: [],
  guests: [echo],
});

async function turn(name: string): Promise<void> {
  const end = await talk({
    ...workplace,
    cwd,
    tool: 'consult',
    agent: 'echo',
    model: null,
    question: words(name),
    session: name,
    role: 'default',
    context: [],
    cliFlags: [],
    permission: 'read-only',
    allowed: [],
    denied: [],
    maxTurns: null,
    form: null,
    signal: new AbortController().signal,
    markPrefix: 'bench.',
    now: () => new Date(),
    onEvent: () => undefined,
    onWait: () => undefined,
  });
  const [first] = end.text.split('\n');
  if (end.state !== 'answered' || first !== words(name)) throw new Error(`${name}: ${end.text}`);
}

await turn('first');
const idle = memoryOf(process.pid, 'VmRSS');
const names = Array.from({ length: Number(count) }, (_, number) => `talk${number}`);
await Promise.all(names.map(turn));
await Promise.all(names.map(turn));
process.stdout.write(JSON.stringify({ idle, peak: memoryOf(process.pid, 'VmHWM') }));
