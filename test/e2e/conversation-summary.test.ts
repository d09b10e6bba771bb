import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Rig, fixture } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { askJson, sentTo, talkRig } from '../helpers/talk-rig.ts';

/** Beta answers `answer`; gamma, where it is to summarize, `summary`, or fails for want of one. */
async function summaryRig({
  answer,
  summary,
  settings = '',
}: {
  readonly answer: string;
  readonly summary: string | null;
  readonly settings?: string;
}) {
  const summarizer = summary === null ? '' : 'summarizer = "gamma"\n';
  const rig = await talkRig(`[conversation]\n${summarizer}${settings}`);
  const script = join(rig.home, 'gamma.json');
  const action = summary === '' ? { exit: 1, stderr: 'no room today\n' } : { answer: summary };
  writeFileSync(script, JSON.stringify({ model: 'gamma-1', else: action }));
  writeFileSync(join(rig.home, 'beta.json'), JSON.stringify({ model: 'beta-1', else: { answer } }));
  rig.config(`${rig.configured()}
[agents.gamma]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('vendor'), script])}
`);
  return rig;
}

const work = (rig: Rig, agent: string, text: string) =>
  askJson(rig, 'work', '--session', 'mine', '--agent', agent, text);

const long = `Decided: keep src/a.ts.\n${'more words '.repeat(2000)}\nThe end.`;

test('a long answer is shown as the summarizer puts it, and the whole is kept and named', async () => {
  const rig = await summaryRig({ answer: long, summary: 'Keep src/a.ts.' });
  const end = await work(rig, 'beta', 'What now?');
  expect(end).toMatchObject({ text: 'Keep src/a.ts.', summary: { by: 'gamma' } });
  expect(readFileSync(end.full_answer, 'utf8')).toBe(long);
  const asked = readFileSync(join(dirname(end.full_answer), 'summary/prompt.md'), 'utf8');
  expect(asked).toContain('Keep each decision with its reason, each file path');
  expect(asked).toContain('Decided: keep src/a.ts.');
  const shown = await rig.conclave('sessions', 'show', 'mine');
  expect(shown.stdout).toContain('The end.');
  const { stdout, stderr } = await rig.conclave('work', '--agent', 'beta', 'What now?');
  expect(stdout).toBe('Keep src/a.ts.\n');
  expect(stderr).toMatch(/Shortened; the whole answer: \/.*answer\.txt\n/);
});

test('a short answer stays as it is, unless all answers are to be summarized', async () => {
  const rig = await summaryRig({ answer: 'Five whole words are here.', summary: 'Five.' });
  expect(await work(rig, 'beta', 'x')).toMatchObject({ summary: null, full_answer: null });
  rig.config(rig.configured().replace('[conversation]', '[conversation]\nsummarize = "always"'));
  expect(await work(rig, 'beta', 'x')).toMatchObject({ text: 'Five.', summary: { by: 'gamma' } });
  rig.config(rig.configured().replace('"always"', '"never"'));
  expect(await work(rig, 'beta', 'x')).toMatchObject({ text: 'Five whole words are here.' });
});

test(
  'without a summarizer the summary of the answer itself is shown, else its head and tail',
  short,
  async () => {
    const rig = await summaryRig({ answer: long, summary: null });
    const cut = await work(rig, 'beta', 'x');
    expect(cut.text).toMatch(/^Decided: keep src\/a\.ts\.\n/);
    expect(cut.text).toMatch(/\[… \d+ characters are cut here …\]/);
    expect(cut.text).toMatch(/The end\.$/);
    expect(cut.text.length).toBeLessThan(20_100);
    const answer = `${long}<SUMMARY>Keep src/a.ts.</SUMMARY>`;
    writeFileSync(
      join(rig.home, 'beta.json'),
      JSON.stringify({ model: 'beta-1', else: { answer } }),
    );
    expect(await work(rig, 'beta', 'x')).toMatchObject({ text: 'Keep src/a.ts.', summary: null });
  },
);

test('a summarizer that fails costs no answer: it is cut, with a note', async () => {
  const rig = await summaryRig({ answer: long, summary: '' });
  const end = await work(rig, 'beta', 'x');
  expect(end).toMatchObject({ code: 0, state: 'answered', summary: null });
  expect(end.text).toMatch(/characters are cut here/);
  expect(end.notes.join()).toMatch(/gamma, which summarizes, failed: .*no room today/);
});

test('on a hand-off older turns are told as the summarizer puts them, the newest whole', async () => {
  const settings = 'hand_off_tokens = 100\n';
  const rig = await summaryRig({
    answer: 'pears '.repeat(120),
    summary: 'Fruit was named.',
    settings,
  });
  for (const text of ['first turn', 'second turn']) await work(rig, 'beta', text);
  writeFileSync(join(rig.home, 'beta.json'), JSON.stringify({ else: { answer: 'plums' } }));
  await work(rig, 'beta', 'third turn');
  expect(await work(rig, 'claude', 'say fine')).toMatchObject({ code: 0, notes: [] });
  const [[prompt = ''] = []] = sentTo(rig, 'claude');
  expect(prompt).toContain('## Turns 1 to 2, summarized by gamma\nFruit was named.');
  expect(prompt).toContain('## Turn 3: the user\nthird turn');
  expect(prompt).not.toContain('first turn');
});

test('compaction that fails sends the first lines of older turns instead, with a note', async () => {
  const settings = 'hand_off_tokens = 100\n';
  const rig = await summaryRig({ answer: 'pears '.repeat(200), summary: '', settings });
  await work(rig, 'beta', 'first turn\nand more of it');
  const end = await work(rig, 'claude', 'say fine');
  expect(end).toMatchObject({ code: 0, text: 'fine', context_source: 'history' });
  expect(end.notes.join()).toMatch(
    /gamma, which summarizes older turns, failed: .*no room today.*; only the first lines of those turns were sent/,
  );
  const [[prompt = ''] = []] = sentTo(rig, 'claude');
  expect(prompt).toContain('## Turn 1: the user (shortened)\nfirst turn\n');
});

test('a summarizer that nobody knows is refused with the setting', async () => {
  const rig = await talkRig('[conversation]\nsummarizer = "frobnicate-9"\n');
  const { code, stderr } = await rig.conclave('work', '--agent', 'beta', 'x');
  expect(stderr).toContain('conversation.summarizer: there is no agent or model "frobnicate-9";');
  expect(code).toBe(2);
});
