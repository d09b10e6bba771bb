import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { connect, eras, type HostOptions, hostRig } from '../helpers/mcp-host.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';

/** A project, and beside it what is not of it: a file, a pipe, another project, and links to them. */
async function filesHost(more = '', options: HostOptions = {}) {
  const rig = await hostRig(more);
  const base = dirname(rig.repo);
  writeFileSync(join(base, 'private.txt'), 'the-private-words\n');
  mkdirSync(join(base, 'other/.git'), { recursive: true });
  writeFileSync(join(base, 'other/source.js'), 'the-private-words\n');
  symlinkSync(join(base, 'private.txt'), join(rig.repo, 'link.txt'));
  symlinkSync(base, join(rig.repo, 'around'));
  execFileSync('mkfifo', [join(rig.repo, 'pipe')]);
  symlinkSync('/dev/zero', join(rig.repo, 'device'));
  const outside = [
    join(base, 'private.txt'),
    '../private.txt',
    '../other/source.js',
    'link.txt',
    'around/private.txt',
    join(rig.home, 'config/conclave/config.toml'),
    '/etc/passwd',
  ];
  return { rig, base, outside, ...(await connect(rig, options)) };
}

const callsWith = (path: string) =>
  [
    ['consult_with', { model: 'alpha', question: 'What is it?', context: [path] }],
    ['work_with', { agent: 'alpha', task: 'Do it.', context: [path] }],
    ['group_think', { topic: 'It', models: ['alpha', 'beta'], context: [path] }],
    ['count_project_tokens', { paths: [path] }],
  ] as const;

test.each(eras)(
  'what lies outside of the project is refused where nobody can be asked, in the protocol era %s',
  async (era) => {
    const { call, outside, rig } = await filesHost('[mcp]\nmay = ["write"]\n', { era });
    for (const path of outside) {
      for (const [tool, input] of callsWith(path)) {
        const { isError, text } = await call(tool, input);
        expect({ tool, path, isError, text }).toMatchObject({ isError: true });
        expect(text).toContain('This host cannot ask a person.');
        expect(text).toMatch(
          /not in the project: .*\/(?:private\.txt|source\.js|config\.toml|passwd)\?/,
        );
        expect(text).not.toContain('the-private-words');
      }
    }
    expect(existsSync(join(rig.home, 'data/conclave/jobs'))).toBe(false);
  },
);

test(
  'a folder is no project because a host says so, nor is one around the home',
  short,
  async () => {
    const { rig, base, call } = await filesHost();
    rig.write('src/note.txt', 'a note\n');
    const asked = { model: 'alpha', question: 'What is it?' };
    const inside = await call('consult_with', {
      ...asked,
      folder: `${rig.repo}/src`,
      context: ['note.txt', '../link.js'],
    });
    expect(inside.text).toBe('context: there is no file ../link.js.');
    for (const folder of [base, rig.home, '/etc', '/']) {
      const context = [
        folder === rig.home ? '../private.txt' : folder === base ? 'private.txt' : '/etc/passwd',
      ];
      const { text } = await call('consult_with', { ...asked, folder, context });
      expect(text).toContain('This host cannot ask a person.');
    }
    mkdirSync(join(base, '.git'));
    const around = await call('consult_with', { ...asked, folder: base, context: ['private.txt'] });
    expect(around.text).toContain('This host cannot ask a person.');
    const leaving = await call('list_sessions', { folder: `${rig.repo}/../other` });
    expect(leaving.text).toContain('is not an absolute path of a folder');
  },
);

test.each(eras)(
  'a person sees the path of each file outside of the project, and agrees to these alone, in the protocol era %s',
  async (era) => {
    const { call, questions, rig, base } = await filesHost('', { era, person: 'agrees' });
    const asked = { model: 'alpha', question: 'What is it?', wait_s: 60 };
    const { facts } = await call('consult_with', { ...asked, context: ['link.txt', 'src/cli.js'] });
    expect(facts).toMatchObject({ state: 'done' });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain(`not in the project  ${join(base, 'private.txt')}`);
    expect(sentBy(rig)).toContain('the-private-words');
    await call('consult_with', { ...asked, context: ['src/cli.js'] });
    expect(questions).toHaveLength(1);
    const counted = await call('count_project_tokens', { paths: ['link.txt'] });
    expect(counted.facts['total']).toBeGreaterThan(0);
    expect(questions).toHaveLength(2);
  },
);

test.each(['declines', 'says no'] as const)(
  'a file outside of the project is not read where the person %s',
  short,
  async (person) => {
    const { call, rig } = await filesHost('', { person });
    const asked = { model: 'alpha', question: 'What is it?', context: ['link.txt'] };
    const { isError, text } = await call('consult_with', asked);
    expect({ isError, text }).toMatchObject({ isError: true });
    expect(text).toContain('The person did not agree.');
    expect(existsSync(join(rig.home, 'data/conclave/jobs'))).toBe(false);
  },
);

test('pipes and devices are refused at once, by a host and by a person', async () => {
  const { call, rig } = await filesHost('[mcp]\nmay = ["write"]\n');
  for (const path of ['pipe', 'device']) {
    for (const [tool, input] of callsWith(path)) {
      const { isError, text } = await call(tool, input);
      expect({ tool, isError, text }).toMatchObject({ isError: true });
      expect(text).toContain(`${path} is neither a file nor a folder.`);
    }
    const words = ['consult', '--model', 'alpha', 'What?', '--context', path];
    const { code, stderr } = await rig.conclave(...words);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain(`--context: ${path} is neither a file nor a folder.`);
  }
});

test(
  'tokens are counted for folders, with the files in them that git knows or would take',
  short,
  async () => {
    const { call, rig } = await filesHost();
    rig.write('.gitignore', 'built/\n');
    rig.write('built/big.js', 'x '.repeat(10_000));
    rig.write('src/new.js', 'export const one = 1;\n');
    rig.write('src/image.png', '\0\0');
    const { facts } = await call('count_project_tokens', { paths: ['src', 'src/cli.js', '.'] });
    const [folder, file, whole] = z.array(Counted).parse(facts['files']);
    expect(folder).toMatchObject({ path: 'src' });
    expect(folder?.tokens).toBeGreaterThan(file?.tokens ?? Infinity);
    expect(folder?.files).toBeGreaterThan(3);
    expect(whole?.tokens).toBeGreaterThan(folder?.tokens ?? Infinity);
    expect(whole?.tokens).toBeLessThan(10_000);
    expect(file).not.toHaveProperty('files');
  },
);

const Counted = z.object({ path: z.string(), tokens: z.number(), files: z.number().optional() });

test('files of secrets that a person lets through are sent without them', async () => {
  const { call, rig } = await filesHost('', { person: 'agrees' });
  const secrets = {
    '.aws/credentials': `[default]\naws_secret_access_key = /q7Zk2MvX9b/nRwLc8JdPy3HsFg6Ae5Uq7Zk2MvX`,
    '.pgpass': 'db.example.com:5432:app:alice:correct-horse-battery',
    '.kube/config': 'users:\n- user:\n    token: correct-horse-battery',
    '.docker/config.json': `{"auths":{"r":{"auth":"${btoa('alice:pw')}"}}}`,
    '.bash_history': 'mysql -pcorrect-horse-battery',
    '.netrc': 'machine a login b password correct-horse-battery',
  };
  for (const [path, text] of Object.entries(secrets)) {
    mkdirSync(dirname(join(rig.home, path)), { recursive: true });
    writeFileSync(join(rig.home, path), text);
  }
  const context = Object.keys(secrets).map((path) => join(rig.home, path));
  const asked = { model: 'alpha', question: 'What is it?', context, wait_s: 60 };
  expect((await call('consult_with', asked)).facts).toMatchObject({ state: 'done' });
  const sent = sentBy(rig);
  expect(sent).toContain('.pgpass');
  expect(sent).not.toMatch(/correct-horse|q7Zk2MvX|YWxpY2/);
});

/** All that the files of conversations and jobs hold, prompts among them. */
function sentBy(rig: Rig): string {
  const folder = join(rig.home, 'data/conclave/conversations');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return files.map((path) => `${path}\n${readFileSync(join(folder, path), 'utf8')}`).join('\n');
}
