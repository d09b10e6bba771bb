import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trustFile } from '../../../src/app/folders.ts';
import { makePlace } from './place.ts';

/** Blocks of a settings file, then a line `=> LINE: what is said, at least how it begins`. */
const badFiles = readFileSync(new URL('../../fixtures/bad-settings.txt', import.meta.url), 'utf8')
  .trim()
  .split(/\n\n(?=\S)/)
  .map((block) => block.split('\n=> '));

describe('a bad file is answered in one sentence with file, line, key and what was expected', () => {
  test.each(badFiles)('%s is answered by %s', async (toml = '', said = '') => {
    const place = makePlace(toml);
    const message = await place.stop();
    expect(message).toContain(`${place.userFile}:${said}`);
    expect(message).not.toContain('\n');
  });

  test('without a line where lines of a text could look like keys', async () => {
    const place = makePlace('[workflow]\nconstraints = ["""\nmode = 1"""]\nmode = 2');
    expect(await place.stop()).toMatch(/config\.toml: workflow\.mode must be /);
  });

  test('also where a line is long', async () => {
    const place = makePlace(`constraints = "${'['.repeat(200_000)}"\n[workflow]\nmode = 2`);
    expect(await place.stop()).toContain(`${place.userFile}:1: constraints is not known.`);
  }, 1_000);

  test('so is one of a project that is not trusted', async () => {
    const place = makePlace();
    place.project('[workflow]\nmax_rounds = 21');
    expect(await place.stop()).toBe(
      `${place.projectFile}:2: workflow.max_rounds must be at most 20, not 21.`,
    );
  });
});

describe('a file', () => {
  test.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['a device', (file: string) => symlinkSync('/dev/zero', file)],
    ['a huge file', (file: string) => (writeFileSync(file, ''), truncateSync(file, 2 ** 40))],
  ])('that is %s is refused', async (_, make) => {
    const place = makePlace();
    make(place.userFile);
    expect(await place.stop()).toBe(`${place.userFile}: this is not a file of at most 16 MB.`);
  });

  test('that is a damaged record of trust is refused', async () => {
    const place = makePlace();
    place.project('[workflow]\nmax_rounds = 1');
    const store = trustFile(place.environment);
    mkdirSync(dirname(store), { recursive: true });
    writeFileSync(store, '{"version": 1');
    expect(await place.stop()).toMatch(/trust\.json: the file is damaged/);
  });

  test('below something that is not a folder counts as missing', async () => {
    const settings = await makePlace().load({ env: { XDG_CONFIG_HOME: '/dev/null' } });
    expect(settings.files.user.exists).toBe(false);
  });
});
