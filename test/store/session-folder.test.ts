import { mkdir, readFile, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimSession, listSessionIds, removeSession } from '../../src/store/session-folder.ts';
import { failureOf, newRoot, newSession, noted, someTime, write } from './room.ts';

const slugs = [
  ['Add OAuth login', 'add-oauth-login'],
  ['  Über-Größe: Café!  ', 'uber-gro-e-cafe'],
  ['缓存', 'task'],
  ['', 'task'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a'.repeat(39) + ' bc', 'a'.repeat(39)],
  ['x'.repeat(5000), 'x'.repeat(40)],
] as const;

describe('claiming', () => {
  test.each(slugs)('the id of %j has the slug %s', async (task, slug) => {
    const folder = await claimSession({ root: await newRoot(), task, now: someTime });
    expect(folder.id).toMatch(new RegExp(`^MCP-${slug}-2026-11-21-[a-z0-9]{4}$`));
    expect(folder.relative).toBe(`.workflow/.multi-cli-plan/${folder.id}`);
  });

  test('a hundred claims in the same second give a hundred folders', async () => {
    const root = await newRoot();
    const claims = Array.from({ length: 100 }, () =>
      claimSession({ root, task: 't', now: someTime }),
    );
    const ids = (await Promise.all(claims)).map((folder) => folder.id);
    expect(new Set(ids).size).toBe(100);
    expect((await listSessionIds(root)).toSorted()).toEqual(ids.toSorted());
  });

  test('the folders are for their owner only and are kept out of git and of searches', async () => {
    const root = await newRoot();
    const folder = await claimSession({ root, task: 'x', now: someTime });
    for (const path of ['.workflow', '.workflow/.multi-cli-plan', folder.relative])
      expect((await stat(join(root, path))).mode & 0o777).toBe(0o700);
    const ignored = join(root, '.workflow/.gitignore');
    expect(await readFile(ignored, 'utf8')).toBe('*\n!/roles/\n!/roles/**\n');
    // Searches go by this one also where there is no git.
    expect(await readFile(join(root, '.workflow/.ignore'), 'utf8')).toBe('*\n');
    await writeFile(ignored, 'own\n');
    await claimSession({ root, task: 'y', now: someTime });
    expect(await readFile(ignored, 'utf8')).toBe('own\n');
  });

  test('a place that cannot be written is named', async () => {
    const root = await newRoot();
    await writeFile(join(root, '.workflow'), 'a file');
    const path = join(root, '.workflow');
    const failure = await failureOf(claimSession({ root, task: 'x', now: someTime }));
    expect(failure).toEqual({ reason: 'cannot-begin', path, code: 'ENOTDIR' });
  });
});

describe('files', () => {
  test('are written with the folders above them and read back', async () => {
    const folder = await newSession();
    await folder.write('rounds/1/agents/codex/prompt.md', 'Hello');
    await folder.writeJson('plan.json', { b: 1, a: [2] });
    expect(await folder.read('rounds/1/agents/codex/prompt.md')).toBe('Hello');
    expect(await folder.read('plan.json')).toBe('{\n  "b": 1,\n  "a": [\n    2\n  ]\n}\n');
    expect(await readFile(folder.absolute('plan.json'), 'utf8')).toContain('"b": 1');
    expect((await stat(folder.absolute('rounds/1'))).mode & 0o777).toBe(0o700);
    expect((await stat(folder.absolute('plan.json'))).mode & 0o777).toBe(0o600);
  });

  test('that are missing read as null, list as nothing and remove without effect', async () => {
    const folder = await newSession();
    await folder.write('file', '');
    for (const path of ['missing', 'missing/deeper', 'file/deeper']) {
      expect(await folder.read(path)).toBeNull();
      expect(await folder.list(path)).toEqual([]);
      await folder.remove(path);
    }
  });

  test('list by name without temporary ones, and are removed with what is below', async () => {
    const folder = await newSession();
    for (const name of ['b.json', 'a.json', 'sub/c.json', '.b.json.0123456789abcdef.tmp'])
      await folder.write(`.task/${name}`, '{}');
    expect(await folder.list('.task')).toEqual(['a.json', 'b.json', 'sub']);
    expect(await folder.list('')).toEqual(['.task']);
    await folder.remove('.task/a.json');
    expect(await folder.list('.task')).toEqual(['b.json', 'sub']);
    await folder.remove('.task');
    expect(await folder.list('.')).toEqual([]);
  });

  test('do not bring a session back that was removed meanwhile', async () => {
    const root = await newRoot();
    const folder = await claimSession({ root, task: 'x', now: someTime });
    await removeSession(root, folder.id);
    const path = folder.absolute('plan.json');
    const failure = await failureOf(folder.write('plan.json', ''));
    expect(failure).toEqual({ reason: 'cannot-write', path, code: 'ENOENT' });
    expect(await folder.read('plan.json')).toBeNull();
  });
});

describe('opening, listing and removing', () => {
  test('sessions are listed newest first, and only sessions', async () => {
    const root = await newRoot();
    const names = ['one', 'two', 'three'];
    const folders = await Promise.all(
      names.map((task) => claimSession({ root, task, now: someTime })),
    );
    for (const [index, folder] of folders.entries()) {
      await write(folder, [noted('x')]);
      await utimes(folder.absolute('journal.jsonl'), 0, 1000 - index);
    }
    const sessions = join(root, '.workflow/.multi-cli-plan');
    await mkdir(join(sessions, 'notes'));
    await mkdir(join(sessions, '.hidden'));
    await writeFile(join(sessions, 'MCP-file'), '');
    await symlink(folders[0]?.path ?? '', join(sessions, 'MCP-link'));
    const [link, ...ids] = await listSessionIds(root);
    // Listed, so that it can be named as what is refused.
    expect(link).toBe('MCP-link');
    expect(ids).toEqual(folders.map((folder) => folder.id));
    expect(await listSessionIds(join(root, 'nowhere'))).toEqual([]);
  });

  test('a removed session is gone, and what its links point to is not', async () => {
    const root = await newRoot();
    const folder = await claimSession({ root, task: 'x', now: someTime });
    const other = await claimSession({ root, task: 'y', now: someTime });
    await writeFile(join(root, 'victim'), 'mine');
    await symlink(root, folder.absolute('link'));
    await folder.write('rounds/1/x', '');
    await removeSession(root, folder.id);
    expect(await listSessionIds(root)).toEqual([other.id]);
    expect(await readdir(root)).toEqual(['.workflow', 'victim']);
  });
});
