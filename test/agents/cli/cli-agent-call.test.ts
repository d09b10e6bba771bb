import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/agent.ts';
import { cliAgent } from '../../../src/agents/cli/cli-agent.ts';
import {
  agentRoom,
  fake,
  fakeAgent,
  openProgram,
  runToEnd,
  until,
  type AgentRoom,
} from '../agent-room.ts';

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
});
afterEach(() => room.remove());

const agentWith = (adapter: Partial<AgentAdapter>, args: readonly string[]) =>
  cliAgent({
    adapter: { ...openProgram, ...adapter },
    settings: { path: process.execPath, args },
    environment: { PATH: process.env['PATH'] },
  });

const place = () => join(room.folder, 'events.jsonl.files');
const resume = (cwd: string) => ({ agentSession: 'S-1', cwd });
const begin = (id: string) =>
  `console.log('{"kind":"started","agent_session":"${id}","model":null,"version":null}');`;

const expected = () => ({
  folder: place(),
  mode: '700',
  env: join(place(), 'settings.json'),
  found: [
    ['role.md', '600', 'Be brief.'],
    ['settings.json', '600', '{"a":1}'],
  ],
});

describe('files of the adapter', () => {
  const files: Partial<AgentAdapter> = {
    files: ({ role }) => ({ 'settings.json': '{"a":1}', 'role.md': role ?? '' }),
    argv: ({ filesFolder = '' }) => [filesFolder],
    env: ({ filesFolder = '' }) => ({ SETTINGS: join(filesFolder, 'settings.json') }),
  };
  const show = `const fs = require('fs'); const [folder] = process.argv.slice(1);
    const mode = (path) => (fs.statSync(path).mode & 0o777).toString(8);
    const found = fs.readdirSync(folder).map((name) => [name, mode(folder + '/' + name), fs.readFileSync(folder + '/' + name, 'utf8')]);
    console.log(JSON.stringify({ kind: 'completed', text: JSON.stringify({ folder, mode: mode(folder), found, env: process.env.SETTINGS }) }));`;
  const shown = async () => {
    const { end } = await runToEnd(
      agentWith(files, ['-e', show]),
      room.request({ role: 'Be brief.' }),
    );
    return end.ok ? JSON.parse(end.text) : end.failure;
  };

  test('lie in a private folder for as long as the program runs', async () => {
    expect(await shown()).toEqual(expected());
    expect(existsSync(place())).toBe(false);
  });

  test('take the place of what a killed run left there', async () => {
    mkdirSync(place());
    writeFileSync(join(place(), 'stale.json'), 'old');
    expect(await shown()).toEqual(expected());
  });

  test('are not written through a link', async () => {
    mkdirSync(join(room.folder, 'elsewhere'));
    writeFileSync(join(room.folder, 'elsewhere/kept'), 'mine');
    symlinkSync(join(room.folder, 'elsewhere'), place());
    expect(await shown()).toEqual(expected());
    expect(room.file('elsewhere/kept')).toBe('mine');
    expect(existsSync(join(room.folder, 'elsewhere/role.md'))).toBe(false);
  });

  test('are gone after a cancelled run, and after one whose events nobody wanted', async () => {
    const abort = new AbortController();
    const hanging = agentWith(files, [fake('hang-after-first-line')]);
    const cancelled = runToEnd(hanging, room.request(), abort.signal);
    await until('they are there', () => existsSync(join(place(), 'settings.json')));
    abort.abort();
    await cancelled;
    expect(existsSync(place())).toBe(false);
    for await (const event of hanging.run(room.request(), new AbortController().signal)) {
      expect([event.type, existsSync(place())]).toEqual([event.type, true]);
      break;
    }
    expect(existsSync(place())).toBe(false);
  });

  test('that cannot be written stop everything before the program starts', async () => {
    const rawOutput = join(room.folder, 'no-such-folder/events.jsonl');
    await expect(runToEnd(agentWith(files, ['-e', show]), room.request({ rawOutput })))
      .rejects //
      .toMatchObject({ failure: { reason: 'cannot-write', code: 'ENOENT' } });
  });

  test('have no folder where there are none', async () => {
    const { end } = await runToEnd(
      agentWith({ ...files, files: () => ({}) }, [fake('dump')]),
      room.request(),
    );
    expect(end.ok && JSON.parse(end.text).argv).toEqual(['']);
  });
});

async function wentOn(code: string) {
  const agent = agentWith({}, ['-e', code, '--']);
  return (await runToEnd(agent, room.request({ resume: resume(room.folder) }))).end;
}

describe('a session to go on with', () => {
  const answer = `console.log('{"kind":"completed","text":"hi"}');`;

  test('is gone on with in its own folder, the other one as an extra folder', async () => {
    const home = join(room.folder, 'home');
    mkdirSync(home);
    const agent = agentWith({ argv: ({ extraDirs }) => extraDirs }, [fake('dump')]);
    const ask = async (cwd: string) => {
      const { end } = await runToEnd(
        agent,
        room.request({ resume: resume(cwd), extraDirs: ['/x'] }),
      );
      const { argv, cwd: startedIn } = JSON.parse(end.ok ? end.text : '{}');
      return { argv, startedIn };
    };
    expect(await ask(home)).toEqual({ startedIn: home, argv: [room.folder, '/x'] });
    expect(await ask(room.folder)).toEqual({ startedIn: room.folder, argv: ['/x'] });
  });

  test('answers when it is the one that was asked for', async () => {
    const end = await wentOn(begin('S-1') + answer);
    expect(end).toMatchObject({ ok: true, text: 'hi', facts: { agentSession: 'S-1' } });
  });

  test.each([
    ['answered', answer],
    ['would go on for ever', 'setInterval(() => {}, 1e6);'],
  ])('is lost when another one %s', async (_, rest) => {
    const detail = 'it does not know the session it was to continue; it began another, S-2';
    expect(await wentOn(begin('S-2') + rest)).toMatchObject({
      failure: { category: 'session-lost', detail },
      facts: { agentSession: 'S-2' },
    });
  });
});

test('version and model that a program does not tell are those that were found and asked for', async () => {
  const agent = fakeAgent('dump');
  await agent.ready(new AbortController().signal);
  const { end } = await runToEnd(agent, room.request({ model: 'm-7' }));
  expect(end.facts).toMatchObject({ version: '1.0.0', model: 'm-7' });
});
