import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../src/agents/agent.ts';
import { canConfine as hasAll } from '../../src/agents/cli/cli-setup.ts';
import { permissions, type Permission } from '../../src/agents/permission.ts';
import { answerOf, cliBench, shell, text, write } from './cli-bench.ts';
import { type CliName, cliNames, type RealCli, realClis } from './real-clis.ts';

/** A server on loopback that counts who reaches it. */
async function countingServer() {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/x.git`,
    calls: () => calls,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const cache = new URL('../../.cache/', import.meta.url).pathname;

/** What a model tries, each told by the file that it leaves behind. */
const attempts = {
  edited: (path: string) => write(path),
  echoed: (path: string) => shell(`echo made > ${path}`),
  outside: (path: string) => shell(`echo made > ${path}`),
};
const canConfine = ({ adapter }: Pick<RealCli, 'adapter'>) =>
  hasAll({ adapter, environment: process.env });

type Unenforced = NonNullable<AgentAdapter['unenforced']>;
type Deed = keyof typeof attempts;

const everything: readonly Deed[] = ['edited', 'echoed', 'outside'];

/** What comes of it; the sandbox of codex holds commands to the same folders as edits. */
const done: Readonly<Record<CliName, Readonly<Record<Permission, readonly Deed[]>>>> = {
  claude: {
    'read-only': [],
    edit: ['edited'],
    // Its own sandbox holds its commands, where that has what it needs.
    'edit-and-shell': canConfine(realClis.claude) ? ['edited', 'echoed'] : everything,
    full: everything,
  },
  codex: {
    'read-only': [],
    edit: ['edited', 'echoed'],
    'edit-and-shell': ['edited', 'echoed'],
    full: everything,
  },
  gemini: {
    'read-only': [],
    edit: ['edited'],
    'edit-and-shell': everything,
    full: everything,
  },
  // It looks for paths in a command, as far as it sees them.
  copilot: {
    'read-only': [],
    edit: ['edited'],
    'edit-and-shell': ['edited', 'echoed'],
    full: everything,
  },
  opencode: {
    'read-only': [],
    edit: ['edited'],
    'edit-and-shell': everything,
    full: everything,
  },
};

const withoutShell = [
  ['edit-and-shell', { denied: ['shell'] }],
  ['full', { denied: ['shell'] }],
  ['edit', { allowed: ['git'] }],
] as const;

/** No folder for temporary files, where a sandbox would let commands write too. */
let outside = '';
beforeEach(() => {
  outside = mkdtempSync(join(cache, 'outside-'));
});
afterEach(() => rmSync(outside, { recursive: true }));

describe.each(cliNames)('%s', (name) => {
  const bench = cliBench(realClis[name]);
  const tells = (wishes: Parameters<Unenforced>[0], words: RegExp) =>
    (realClis[name].adapter.unenforced?.(wishes) ?? []).some((sentence) => words.test(sentence));
  const paths = () => ({
    edited: join(bench.room.repo, 'edited.txt'),
    echoed: join(bench.room.repo, 'echoed.txt'),
    outside: join(outside, 'outside.txt'),
  });

  test.each(permissions)('does what %s permits, and no more', async (permission) => {
    const places = paths();
    const tries = everything.map((deed) => attempts[deed](places[deed]));
    const prompt = bench.scripted(...tries, text('Done.'));
    const { end } = await bench.ask(prompt, { permission });
    expect(answerOf(end)).toBe('Done.');
    expect(everything.filter((deed) => existsSync(places[deed]))).toEqual(done[name][permission]);
  });

  test('knows git from other commands where it is denied', async () => {
    const [made, other] = [join(bench.room.repo, 'made'), join(bench.room.repo, 'other')];
    const tries = [shell(`git config --file ${made} a.b c`), shell(`sh -c 'echo made > ${other}'`)];
    const request = { permission: 'edit-and-shell', denied: ['git'] } as const;
    const { end } = await bench.ask(bench.scripted(...tries, text('Done.')), request);
    expect(answerOf(end)).toBe('Done.');
    expect(existsSync(other)).toBe(true);
    expect(existsSync(made)).toBe(tells(request, /cannot be taken/));
  });

  test.each(withoutShell)(
    'runs no command without shell, git included: %s, %o',
    async (...given) => {
      const [permission, wishes] = given;
      const request = { permission, ...wishes, allowed: ['git' as const, 'web' as const] };
      const { repo } = bench.room;
      await using network = await countingServer();
      const [alias, plain, away] = [join(repo, 'c1'), join(repo, 'c2'), join(outside, 'c3')];
      const tries = [
        `git -c alias.x='!touch ${alias}' x`,
        `touch ${plain}`,
        `git -c alias.x='!touch ${away}' x`,
        `git ls-remote ${network.url}`,
      ];
      const { end } = await bench.ask(bench.scripted(...tries.map(shell), text('Done.')), request);
      expect(answerOf(end)).toBe('Done.');
      // Commands of codex cannot be taken away: they may write where its edits may.
      const isHeld = tells(request, /commands cannot be taken from it/);
      expect([alias, plain].map((path) => existsSync(path))).toEqual([isHeld, isHeld]);
      expect({ away: existsSync(away), calls: network.calls() }).toEqual({ away: false, calls: 0 });
      expect(isHeld).toBe(name === 'codex');
    },
  );

  test('tells of a command with its words, its end and its output', async () => {
    const prompt = bench.scripted(shell('echo out'), text('Done.'));
    const { end, events } = await bench.ask(prompt, { permission: 'edit-and-shell' });
    expect(answerOf(end)).toBe('Done.');
    const codes = name === 'gemini' ? [null] : [0];
    expect(events.filter(({ type }) => type === 'command')).toMatchObject(
      codes.map((exitCode) => ({
        command: expect.stringContaining('echo out'),
        exitCode,
        output: expect.stringContaining('out'),
      })),
    );
  });

  test('takes no more turns than it may, or says that it has no limit', async () => {
    const tries = Array.from({ length: 8 }, (_, turn) => shell(`echo ${turn}`));
    const request = { permission: 'edit-and-shell', maxTurns: 3 } as const;
    const { end } = await bench.ask(bench.scripted(...tries, text('Done.')), request);
    const category = end.ok ? 'ended' : end.failure.category;
    expect(category).toBe(tells(request, /turns/) ? 'ended' : 'timed-out');
  });
});
