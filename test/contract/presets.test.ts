// Tests the programs that are agents by their names: how each is started, in which mode, with what, and what it may write.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../src/agents/agent.ts';
import { agentPool } from '../../src/agents/pool.ts';
import { findConfinement } from '../../src/agents/process/find-confinement.ts';
import { confinementFault } from '../../src/agents/process/try-confinement.ts';
import { noBase, plainRepository } from '../../src/git/open-repository.ts';
import { neverAborted } from '../../src/model/signal.ts';
import { type AgentRoom, agentRoom, fake, runToEnd } from '../agents/agent-room.ts';

interface Preset {
  readonly name: string;
  readonly program: string;
  readonly argv: readonly string[];
  /** The modes in which it plans and edits; null for the one in which it begins. */
  readonly modes: readonly [plan: string, edit: string | null];
  readonly key: string;
  readonly state: string;
  /** The vendor of a model whose name tells nothing. */
  readonly vendor: string | null;
  /** True if the real one was seen to refuse a write in its mode. */
  readonly isTried?: true;
}

const presets: readonly Preset[] = [
  {
    name: 'droid',
    program: 'droid',
    argv: ['exec', '--output-format', 'acp'],
    modes: ['spec', 'normal'],
    key: 'FACTORY_API_KEY',
    state: '.factory',
    vendor: null,
    isTried: true,
  },
  {
    name: 'qwen',
    program: 'qwen',
    argv: ['--acp'],
    modes: ['plan', 'default'],
    key: 'DASHSCOPE_API_KEY',
    state: '.qwen',
    vendor: null,
    isTried: true,
  },
  {
    name: 'cursor',
    program: 'cursor-agent',
    argv: ['acp'],
    modes: ['plan', 'agent'],
    key: 'CURSOR_API_KEY',
    state: '.cursor',
    vendor: null,
  },
  {
    name: 'kimi',
    program: 'kimi',
    argv: ['acp'],
    modes: ['plan', null],
    key: 'MOONSHOT_API_KEY',
    state: '.kimi',
    vendor: 'kimi',
  },
  {
    name: 'goose',
    program: 'goose',
    argv: ['acp'],
    modes: ['approve', 'approve'],
    key: 'GOOSE_PROVIDER',
    state: '.config/goose',
    vendor: null,
  },
  {
    name: 'kiro',
    program: 'kiro-cli',
    argv: ['acp'],
    modes: ['kiro_planner', null],
    key: 'KIRO_API_KEY',
    state: '.kiro',
    vendor: null,
  },
  {
    name: 'grok',
    program: 'grok',
    argv: ['agent', 'stdio'],
    modes: ['plan', null],
    key: 'XAI_API_KEY',
    state: '.grok',
    vendor: 'xai',
  },
  {
    name: 'amp',
    program: 'amp-acp',
    argv: [],
    modes: ['plan', null],
    key: 'AMP_API_KEY',
    state: '.amp',
    vendor: null,
  },
];

const path = process.env['PATH'];
const found = findConfinement({ PATH: path });
const isHere =
  found !== null &&
  (await confinementFault(found, { environment: { PATH: path }, signal: neverAborted })) === null;

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
  for (const folder of ['bin', 'repo']) mkdirSync(join(room.folder, folder));
});
afterEach(() => room.remove());

const repository = plainRepository({
  root: '/',
  base: noBase,
  folders: null,
  signal: neverAborted,
});

function poolWith(more: NodeJS.ProcessEnv = {}) {
  const environment = {
    PATH: `${join(room.folder, 'bin')}:${path}`,
    HOME: join(room.folder, 'home'),
    ...more,
  };
  return agentPool({ settings: {}, environment, analysts: [], repository });
}

/** Puts a stand-in for a program on the PATH, and asks it. */
async function ask(
  { name, program, state, key }: Preset,
  modes: readonly string[],
  more: Partial<Pick<AgentRequest, 'permission'>> = {},
) {
  const file = join(room.folder, 'bin', program);
  const words = [process.execPath, fake('preset'), JSON.stringify(modes), state];
  writeFileSync(file, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
  mkdirSync(join(room.folder, 'home', state), { recursive: true });
  const agent = poolWith({ [key]: 'of the user', OTHER_API_KEY: 'of the user' }).get(name);
  if (agent === undefined) throw new Error(`${name} is no agent`);
  const cwd = join(room.folder, 'repo');
  const { end } = await runToEnd(agent, room.request({ cwd, ...more }));
  return end.ok ? JSON.parse(end.text) : end.failure;
}

describe.each(presets)('$name', (preset) => {
  const { name, program, argv, modes, key, vendor, isTried = false } = preset;
  const [plan, edit] = modes;
  const ownMode = name === 'goose' ? { ownMode: 'approve' } : {};

  test.runIf(isTried || isHere)(
    'plans in the mode that only reads, without other keys, and writes nothing but its state where nobody tried it',
    async () => {
      expect(await ask(preset, ['first', plan, 'last'])).toEqual({
        argv,
        mode: plan,
        writesTree: isTried,
        writesState: true,
        variables: [key],
        ...ownMode,
      });
    },
  );

  test('edits in its own mode, without a confinement', async () => {
    expect(await ask(preset, ['first', plan, edit ?? 'last'], { permission: 'edit' })).toEqual({
      argv,
      mode: edit ?? 'first',
      writesTree: true,
      writesState: true,
      variables: [key],
      ...ownMode,
    });
  });

  test.runIf(isTried || isHere)(
    'of a version without that mode is asked only if a confinement holds it',
    async () => {
      expect(await ask(preset, ['first', 'other'])).toMatchObject(
        isTried
          ? {
              category: 'permission-refused',
              detail: `it has no mode "${plan}"; it offers first, other`,
            }
          : { mode: 'first', writesTree: false },
      );
    },
  );

  test('is known by its name before it is there, with what to install', async () => {
    const ready = await poolWith().get(name)?.ready(neverAborted);
    expect(ready).toMatchObject({
      state: 'not-installed',
      why: `"${program}" is not on PATH`,
      remedy: expect.stringMatching(/^Install it: \S/),
    });
  });

  test('has the vendor of its model', () => {
    const agent = poolWith().get(name);
    expect([null, 'claude-sonnet-5', 'gpt-6', 'house'].map((one) => agent?.vendorOf(one))).toEqual([
      vendor,
      'anthropic',
      'openai',
      vendor,
    ]);
  });
});
