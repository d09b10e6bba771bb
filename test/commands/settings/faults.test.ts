import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Place, makePlace } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  place.remove();
});

describe('a fault in a file names file, line, key and what would be right', () => {
  test.each([
    [
      'an unknown key',
      '[workflow]\nmode = "serial"\nmax_round = 2',
      ':3: the key max_round is unknown in [workflow]. Did you mean max_rounds? Known keys: auto_yes, ',
    ],
    [
      'a key of another table',
      'max_rounds = 2',
      ':1: the key max_rounds is unknown at the top level. It belongs in [workflow]. ',
    ],
    [
      'an unknown table',
      '\n[workflows]\nmode = "serial"',
      ':2: the key workflows is unknown at the top level. Did you mean workflow? ',
    ],
    [
      'a key inside an inline table',
      '[agents]\nant = { path = "a", pth = "b" }',
      ':2: the key pth is unknown in [agents.ant]. Did you mean path? ',
    ],
    [
      'a wrong type',
      '[workflow]\nmax_rounds = "3"',
      ':2: workflow.max_rounds must be a number, not "3".',
    ],
    [
      'too high a number',
      '[workflow]\nmax_rounds = 21',
      ':2: workflow.max_rounds must be at most 20, not 21.',
    ],
    ['too few', '[workflow]\ntools = []', ':2: workflow.tools must name at least one.'],
    [
      'a date',
      '[agents.a]\nmodel = 2026-01-01',
      ':2: agents.a.model must be a text in quotes, not ',
    ],
    [
      'one of a list',
      '[context]\nproviders = ["search", "x"]',
      ':2: context.providers.1 must be one of mcp, search, not "x".',
    ],
    ['a variable', '[agents.a.env]\nN = 1', ':2: agents.a.env.N must be a text in quotes, not 1.'],
    [
      'capitals in a name',
      '[agents.Ant]\npath = "a"',
      ':1: agents.Ant is not the name of an agent; it takes',
    ],
    ['no TOML', '[workflow]\nmode = ', ':2:8: this is no valid TOML: '],
  ])('%s', async (_, toml, expected) => {
    place.user(toml);
    const message = await place.stop();
    expect(message.startsWith(place.userFile)).toBe(true);
    expect(message).toContain(expected);
    expect(message).not.toContain('\n');
    place.user('');
    place.project(toml);
    expect((await place.stop()).startsWith(place.projectFile)).toBe(true);
  });

  test('more faults than one are counted', async () => {
    place.user('[workflow]\nmax_rounds = 0\nmode = "x"\ntimeout = "y"');
    expect(await place.stop()).toContain('(2 more after this one)');
  });

  test('a line is left out where many-line texts could mislead', async () => {
    place.user('[workflow]\nconstraints = ["""\nmax_round = 1\n"""]\nmax_round = 2');
    expect(await place.stop()).toContain(`${place.userFile}: the key max_round is unknown`);
  });
});

describe('a file that cannot be read', () => {
  test('as it is a folder', async () => {
    mkdirSync(place.userFile);
    expect(await place.stop()).toBe(`${place.userFile}: the file cannot be read (EISDIR).`);
  });

  test('as it is a pipe, which is not waited for', async () => {
    execFileSync('mkfifo', [place.userFile]);
    const said = 'the file cannot be read (it is a pipe).';
    expect(await place.stop()).toBe(`${place.userFile}: ${said}`);
    rmSync(place.userFile);
    execFileSync('mkfifo', [place.projectFile]);
    expect(await place.stop()).toBe(`${place.projectFile}: ${said}`);
    rmSync(place.projectFile);
    place.project('');
    const store = join(place.environment['XDG_DATA_HOME'] ?? '', 'conclave/trust.json');
    mkdirSync(dirname(store), { recursive: true });
    execFileSync('mkfifo', [store]);
    expect(await place.stop()).toBe(`${store}: ${said}`);
  });

  test('as it is a device, which has no end', async () => {
    symlinkSync('/dev/zero', place.userFile);
    expect(await place.stop()).toBe(`${place.userFile}: the file cannot be read (it is a device).`);
  });

  test('as it is larger than anybody writes', async () => {
    place.user('');
    truncateSync(place.userFile, 2 ** 40);
    const said = 'the file cannot be read (it has more than 16 MB).';
    expect(await place.stop()).toBe(`${place.userFile}: ${said}`);
  });

  test('a file of settings that leads to the null device is empty', async () => {
    symlinkSync('/dev/null', place.userFile);
    expect((await place.load()).files.user.exists).toBe(true);
  });

  test.skipIf(process.getuid?.() === 0)('as the user may not', async () => {
    place.user('');
    chmodSync(place.userFile, 0);
    expect(await place.stop()).toBe(`${place.userFile}: the file cannot be read (EACCES).`);
  });

  test('as it is no text', async () => {
    writeFileSync(place.userFile, Buffer.from([0x61, 0xff, 0xfe]));
    expect(await place.stop()).toBe(`${place.userFile}: the file is not UTF-8 text.`);
  });

  test('below something that is no folder counts as missing', async () => {
    rmSync(place.userFile, { force: true });
    const settings = await place.load({ env: { XDG_CONFIG_HOME: '/dev/null' } });
    expect(settings.files.user.exists).toBe(false);
  });
});
