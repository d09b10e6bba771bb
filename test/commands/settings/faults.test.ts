import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
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

/** Blocks of a settings file, then a line `=> LINE: what is said, at least how it begins`. */
const badFiles = readFileSync(new URL('../../fixtures/bad-settings.txt', import.meta.url), 'utf8')
  .trim()
  .split(/\n\n(?=\S)/)
  .map((block) => block.split('\n=> '));

test('there are at least 40 bad files', () => {
  expect(badFiles.length).toBeGreaterThanOrEqual(40);
});

describe('a bad file is told in one sentence with file, line, key and what was expected', () => {
  test.each(badFiles)('%s is answered by %s', async (toml = '', said = '') => {
    place.user(toml);
    const message = await place.stop();
    expect(message).toContain(`${place.userFile}:${said}`);
    expect(message).not.toContain('\n');
  });

  test('of a project too, which is not trusted', async () => {
    place.project('[workflow]\nmax_rounds = 21');
    expect(await place.stop()).toBe(
      `${place.projectFile}:2: workflow.max_rounds must be at most 20, not 21.`,
    );
  });

  test('without the line where many-line texts could mislead', async () => {
    place.user('[workflow]\nconstraints = ["""\nmax_round = 1\n"""]\nmax_round = 2');
    expect(await place.stop()).toContain(`${place.userFile}: workflow.max_round is not known.`);
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
    const said = 'the file cannot be read (it has more than 16 MB).';
    expect(await place.stop()).toBe(`${place.userFile}: ${said}`);
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
