// Tests where an agent may write whose read-only mode was never tried.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../../src/agents/agent.ts';
import { cliAgent } from '../../../src/agents/cli/cli-agent.ts';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import { findConfinement } from '../../../src/agents/process/find-confinement.ts';
import { confinementFault } from '../../../src/agents/process/try-confinement.ts';
import { neverAborted } from '../../../src/model/signal.ts';
import { stayOnDisk } from '../../helpers/temporary-folders.ts';
import { type AgentRoom, agentRoom, runToEnd } from '../agent-room.ts';

stayOnDisk();
const environment = { PATH: process.env['PATH'] };
const found = findConfinement(environment);
const isHere =
  found !== null && (await confinementFault(found, { environment, signal: neverAborted })) === null;

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
  for (const folder of ['acts', 'home/.mine', 'home/.ssh', 'home/data/conclave', 'repo/hidden']) {
    mkdirSync(join(room.folder, folder), { recursive: true });
  }
  writeFileSync(join(room.folder, 'home/.ssh/id'), 'secret');
  writeFileSync(join(room.folder, 'home/data/conclave/key'), 'secret');
  writeFileSync(join(room.folder, 'repo/hidden/answer'), 'secret');
});
afterEach(() => room.remove());

/** Runs an agent that writes to each place, and answers with what it could write and read. */
async function tries(
  more: Partial<AgentRequest>,
  { path = environment.PATH, names = [] }: { path?: string | undefined; names?: string[] } = {},
) {
  const folders = names.map((name) => join(room.folder, name));
  const places = ['repo/file', 'home/other', 'home/.mine/state', 'acts/log'];
  const secrets = ['home/.ssh/id', 'home/data/conclave/key', 'repo/hidden/answer'];
  const script = `
const { readFileSync, writeFileSync } = require('node:fs');
const done = (deed) => (one) => { try { deed(one); return [one]; } catch { return []; } };
const text = JSON.stringify([
  ...${JSON.stringify(places)}.flatMap(done((one) => writeFileSync('${room.folder}/' + one, 'x'))),
  ...${JSON.stringify(secrets)}.flatMap(done((one) => readFileSync('${room.folder}/' + one))),
]);
console.log(JSON.stringify({ kind: 'message', text, partial: false }));
console.log('{"kind":"completed"}');`;
  const agent = cliAgent({
    adapter: programAdapter('mine', null),
    settings: { path: process.execPath, args: ['-e', script, ...folders] },
    environment: {
      PATH: path,
      HOME: join(room.folder, 'home'),
      XDG_DATA_HOME: join(room.folder, 'home/data'),
    },
  });
  const cwd = join(room.folder, 'repo');
  const hidden = [join(cwd, 'hidden')];
  const { end } = await runToEnd(agent, room.request({ cwd, hidden, ...more }));
  return end;
}

describe('an agent whose read-only mode was never tried', () => {
  test.runIf(isHere)(
    'writes only to its own state while it plans, and reads no secret',
    async () => {
      const end = await tries({});
      expect(end.ok ? JSON.parse(end.text) : end).toEqual(['home/.mine/state']);
      expect(existsSync(join(room.folder, 'repo/file'))).toBe(false);
    },
  );

  test.runIf(isHere)(
    'writes to a folder that its own command names, unless it is the home or the project is in it',
    async () => {
      const end = await tries({}, { names: ['acts', '.', 'repo', 'repo/hidden', 'home/later'] });
      expect(end.ok ? JSON.parse(end.text) : end).toEqual(['home/.mine/state', 'acts/log']);
    },
  );

  test.runIf(isHere)(
    'writes to a new file that its own command names, wherever it is but in what is read',
    async () => {
      const names = ['home/other', 'repo/file', 'home/unused'];
      const end = await tries({}, { names });
      expect(end.ok ? JSON.parse(end.text) : end).toEqual(['home/other', 'home/.mine/state']);
      expect(existsSync(join(room.folder, 'home/unused'))).toBe(false);
      expect(existsSync(join(room.folder, 'repo/file'))).toBe(false);
    },
  );

  test('writes wherever its user may, once it may edit', async () => {
    const end = await tries({ permission: 'edit' });
    expect(end.ok ? JSON.parse(end.text) : end).toContain('repo/file');
  });

  test('does not plan where nothing can confine it, and says why', async () => {
    const end = await tries({}, { path: join(room.folder, 'home') });
    expect(end).toMatchObject({
      ok: false,
      failure: {
        category: 'permission-refused',
        detail: expect.stringMatching(
          /plans only inside a confinement.*this machine has none; on Linux, install bubblewrap, e.g. with: sudo apt install bubblewrap/,
        ),
      },
    });
  });
});
