import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { codex } from '../../src/agents/cli/codex.ts';
import { adapters } from '../../src/agents/cli/list.ts';
import { helpLines, topicNames } from '../../src/commands/help-command.ts';
import { jsonSchemaOf } from '../../src/model/published.ts';
import { agentRoom } from '../agents/agent-room.ts';
import { testRig } from '../helpers/test-rig.ts';
import { pagePath } from '../tools/help-tables.ts';

const root = new URL('../../', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pageOf = (name: string) => readFileSync(pagePath(name), 'utf8');

/** The letters of a page, without its marks and the mark-up of its code and links. */
const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
const withoutMarkup = (page: string) =>
  page
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/^```\w*$/gm, '')
    .replaceAll(/\]\([^)]+\)/g, ']');

test.each(topicNames())('a terminal of 80 columns shows the page %s, and all of it', (name) => {
  const lines = helpLines(pageOf(name), 80);
  const shown = lettersOf(lines.join('\n'));
  // A table that is too wide for its columns repeats their titles for each row.
  const words = withoutMarkup(pageOf(name)).split(/\s+/).map(lettersOf);
  expect(words.filter((word) => !shown.includes(word))).toEqual([]);
  expect(lines.filter((line) => /^\||^#|^```|<!--/.test(line))).toEqual([]);
});

test.each([60, 80, 120])('no text of a page is wider than a terminal of %i columns', (width) => {
  const pages = topicNames().map((name) => pageOf(name).replaceAll(/^```[^]*?^```$/gm, ''));
  const wide = pages.flatMap((page) => helpLines(page, width));
  expect(wide.filter((line) => stringWidth(line) > width)).toEqual([]);
});

test('a page is headings, wrapped text, lists, fitted tables and code as it is', () => {
  const page = `# Title

Some text of [a page](a.md) and
[a site](https://example.org).

<!-- table: x -->

| a | b |
| --- | --- |
| \`one\\|two\` | **text** that wraps in its column, and goes on |

- an item that is wrapped as well
- \`code\`

\`\`\`sh
a   command that is longer than the forty columns of the line
\`\`\`
`;
  expect(helpLines(page, 40)).toMatchInlineSnapshot(`
    [
      "Title",
      "",
      "Some text of a page and a site",
      "(https://example.org).",
      "",
      "a        b",
      "one|two  text that wraps in its column,",
      "         and goes on",
      "",
      "- an item that is wrapped as well",
      "- \`code\`",
      "",
      "  a   command that is longer than the forty columns of the line",
      "",
    ]
  `);
});

test.each([
  ['README.md', readme],
  ...topicNames().map((name) => [`templates/help/${name}.md`, pageOf(name)]),
])('every link of %s leads to a file', (path = '', text = '') => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, to = '']) => to);
  expect(links.filter((to) => !existsSync(join(root, dirname(path), to)))).toEqual([]);
});

test('the page of the commands names every command', () => {
  const help = readFileSync(join(root, 'test/fixtures/help/conclave.txt'), 'utf8');
  const listed = /^Commands:\n([^]*?)\n\n/m.exec(help)?.[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(15);
  const page = pageOf('commands');
  expect(names.filter((name) => !page.includes(`\`conclave ${name}`))).toEqual([]);
});

test('the README has at most 160 lines, links every page, and has one line in a block', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(160);
  const missing = topicNames().filter((name) => !readme.includes(`(templates/help/${name}.md)`));
  expect(missing).toEqual([]);
  const pictures = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, to = '']) => to);
  expect(pictures.filter((to) => !existsSync(join(root, to)))).toEqual([]);
  expect(pictures).toHaveLength(2);
  const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  expect(blocks.filter((code) => code.trim().split('\n').length !== 1)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(8);
});

test('the first screen of the README has two commands: one shows the demo, one runs the tests', () => {
  const screen = readme.split('\n').slice(0, 30).join('\n');
  const commands = [...screen.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, code]) => code);
  expect(commands).toEqual(['npm ci && npm start -- demo', 'npm ci && npm test']);
});

test('the README tells how to install, plan, go on, automate and develop, with every phase', () => {
  const parts = readme.split(/^## /m).slice(1);
  expect(parts.map((part) => part.split('\n', 1)[0])).toEqual([
    'Install',
    'Your first plan',
    'Go on: resume, review, execute',
    'Without a terminal',
    'Inside other agents',
    'Settings',
    'Safety',
    'Help',
    'Develop',
  ]);
  const partOf = (title: string) => parts.find((part) => part.startsWith(title)) ?? '';
  expect(partOf('Your first plan')).toMatch(/about [\d,]+ tokens/);
  expect(partOf('Your first plan').match(/^\| (?!phase|---)/gm)).toHaveLength(9);
  expect(partOf('Safety').match(/^- \*\*/gm)).toHaveLength(6);
});

test('the README names each npm command that .ci/run calls', () => {
  const script = readFileSync(join(root, '.ci/run'), 'utf8');
  const calls = [...script.matchAll(/\bnpm (?:run )?(?:--silent )?([a-z][\w:-]*)/g)].map(
    ([, name = '']) => name,
  );
  expect(new Set(calls)).toEqual(new Set(['ci', 'check', 'test:all']));
  expect(calls.filter((name) => !new RegExp(`npm (?:run )?${name}\\b`).test(readme))).toEqual([]);
});

test('the pages of the help have at most 11,900 words', () => {
  const words = topicNames().flatMap((name) => pageOf(name).split(/\s+/).filter(Boolean));
  expect(words.length).toBeLessThanOrEqual(11_900);
});

test('the task of the README is one that is not done yet', async () => {
  const [, flag = ''] = /Add a (--[\w-]+) flag to\s+sessions list/.exec(readme) ?? [];
  const { stdout } = await testRig().conclave('sessions', 'list', '--help');
  expect(stdout).toContain('conclave sessions list');
  expect(stdout).not.toContain(flag);
  expect(flag).not.toBe('');
});

test('the page on trust and the question before an execution name the same agents as unconfined', () => {
  const [, named = ''] =
    /a command of ([^;]+?) or a\s+program of your own may read and write wherever you may/.exec(
      pageOf('trust'),
    ) ?? [];
  const wishes = { permission: 'edit-and-shell', confined: true } as const;
  const unconfined = adapters.filter((adapter) =>
    (adapter.unenforced?.(wishes) ?? []).some((text) => text.includes('write wherever you may')),
  );
  expect(named.replaceAll(/\s+/g, ' ')).toBe(
    unconfined.map(({ displayName }) => displayName).join(', '),
  );
});

test('the review by codex is a prompt with a schema and not its review command, as the help says', () => {
  expect(pageOf('execution')).toMatch(/not use `codex review`/);
  const room = agentRoom();
  room.remove();
  const schema = jsonSchemaOf('review-answer');
  const argv = codex.argv(room.request({ cwd: '/repo', schema, filesFolder: '/run' }));
  expect(argv).toEqual(expect.arrayContaining(['exec', '--output-schema']));
  expect(argv).not.toContain('review');
});
