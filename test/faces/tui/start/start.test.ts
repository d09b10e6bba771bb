import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { AgentStanding } from '../../../../src/faces/tui/ports.ts';
import { firstRound, startRows } from '../../../../src/faces/tui/screens/start/rows.ts';
import {
  fileList,
  fileMatches,
  mentionIn,
  recalled,
  startingStart,
  withPath,
  withStanding,
} from '../../../../src/faces/tui/screens/start/state.ts';
import { textField } from '../../../../src/faces/tui/widgets/text-field/field.ts';

function standing(name: string, part: Partial<AgentStanding> = {}): AgentStanding {
  const nothing = { version: null, model: null, why: null, remedy: null, login: null };
  return { name, kind: 'model', state: 'ready', part: 'asked', turn: 0, ...nothing, ...part };
}

const missing = { state: 'not-installed', remedy: 'Install it: npm install -g alpha.' } as const;
const standsIn = { part: 'backup' } as const;
const analysts = [
  standing('structure', { ...standsIn, kind: 'analyst', turn: 8 }),
  standing('history', { ...standsIn, kind: 'analyst', turn: 9 }),
];

function screen(part: Partial<Parameters<typeof startRows>[0]>): string {
  const shown = { state: startingStart, field: textField(), width: 80, height: 19, active: true };
  const rows = startRows({ ...shown, ...part });
  return rows
    .map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

const names = (standings: readonly AgentStanding[]) =>
  firstRound(standings).seated.map(({ name }) => name);

describe('the first round', () => {
  test('has the agents of the seats, in their order', () => {
    expect(names([standing('b', { turn: 1 }), standing('a'), ...analysts])).toEqual(['a', 'b']);
  });

  test('has who stands in for an agent that is not ready, each once', () => {
    const all = [
      standing('a', missing),
      standing('b', { ...missing, turn: 1 }),
      standing('c', { ...standsIn, turn: 2 }),
      standing('d', { part: 'not used', turn: null }),
      ...analysts,
    ];
    expect(names(all)).toEqual(['c']);
  });

  test('is open until those who decide it have answered', () => {
    const looking = standing('b', { state: 'looking', turn: 1 });
    expect(firstRound([standing('a'), looking]).isOpen).toBe(true);
    expect(firstRound([standing('a'), { ...looking, ...standsIn }]).isOpen).toBe(false);
  });
});

describe('the screen', () => {
  test('has its field before any agent is known', () => {
    expect(screen({})).toMatchInlineSnapshot(`
      "What do you want done?                                             @ adds a file
      │ e.g. Add rate limiting to the login endpoint

      Looking for agents…"
    `);
  });

  test('shows who is ready, who is missing and what mends it', () => {
    const all = [
      standing('alpha', missing),
      standing('beta', { version: '1.2.3', turn: 1 }),
      standing('gamma', { ...standsIn, state: 'not-logged-in', remedy: 'Log in: gamma login.' }),
      ...analysts,
    ];
    const state = all.reduce(withStanding, startingStart);
    expect(screen({ state })).toMatchInlineSnapshot(`
      "What do you want done?                                             @ adds a file
      │ e.g. Add rate limiting to the login endpoint

      First round: beta

      ✗ alpha     not installed           npm install -g alpha
      ✓ beta      ready         asked     1.2.3       default model
      ! gamma     not logged in           gamma login
      ✓ structure ready         backup    built in, uses no model
      ✓ history   ready         backup    built in, uses no model"
    `);
  });

  test('goes on below where what is to be typed has no room', () => {
    const remedy = 'Log in: start "alpha" and choose /auth, or set ALPHA_API_KEY.';
    const out = standing('alpha', { state: 'not-logged-in', remedy });
    const text = screen({ state: [out, ...analysts].reduce(withStanding, startingStart) });
    expect(text).toContain(
      '! alpha     not logged in           start "alpha" and choose /auth, or set\n' +
        `${' '.repeat(36)}ALPHA_API_KEY\n✓ structure`,
    );
  });

  test('says plainly that only the analysts will work', () => {
    const state = [standing('alpha', missing), ...analysts].reduce(withStanding, startingStart);
    expect(screen({ state })).toContain('No agent with a model is ready');
  });

  test('never has a row that is too wide or one too many', () => {
    const state = [standing('a'.repeat(40), missing), ...analysts].reduce(
      withStanding,
      startingStart,
    );
    const field = textField('漢字 '.repeat(400));
    for (const [width, height] of [
      [80, 19],
      [120, 35],
      [200, 55],
    ] as const) {
      const rows = startRows({ state, field, width, height, active: true });
      expect(rows.length).toBeLessThanOrEqual(height);
      const fieldRows = rows.filter((row) => row[0]?.text === '│ ');
      for (const line of fieldRows) {
        expect(stringWidth(line.map(({ text }) => text).join(''))).toBeLessThanOrEqual(width);
      }
    }
  });
});

describe('earlier tasks', () => {
  const state = { ...startingStart, tasks: ['last', 'first'] };

  test('come back one by one, and the draft at the end of the way back', () => {
    const first = recalled(state, { text: 'my draft', step: 1 });
    expect(first).toEqual({ at: 0, draft: 'my draft', text: 'last' });
    const now = { ...state, recalled: 0, draft: 'my draft' };
    expect(recalled(now, { text: 'last', step: -1 })?.text).toBe('my draft');
    expect(recalled({ ...now, recalled: 1 }, { text: 'first', step: 1 })).toBeNull();
  });

  test('are left alone where there is none, and below the draft', () => {
    expect(recalled(startingStart, { text: 'x', step: 1 })).toBeNull();
    expect(recalled(state, { text: 'x', step: -1 })).toBeNull();
  });
});

describe('a file behind an @', () => {
  const state = { ...startingStart, files: ['src/cli.ts', 'src/list.ts'] };

  test.each([
    ['Change @cli', 'cli'],
    ['@', ''],
    ['one\n@src/', 'src/'],
    ['(@li', 'li'],
    ['me@example', null],
    ['@cli and', null],
  ])('%j asks for %j', (text, typed) => {
    expect(mentionIn(textField(text))?.typed ?? null).toBe(typed);
  });

  test('takes the place of what was typed', () => {
    const field = textField('Change @li');
    const list = fileList(state, field);
    expect(list && withPath(field, list)?.text).toBe('Change src/list.ts ');
  });

  test('is not offered again where its list was closed', () => {
    expect(fileList({ ...state, closed: 7 }, textField('Change @li'))).toBeNull();
  });
});

describe('the files that fit what was typed', () => {
  const paths = [
    'README.md',
    'src/cli.ts',
    'src/client/list.ts',
    'src/long-list.ts',
    'test/list.test.ts',
  ];

  test.each([
    [
      'names that begin with it, then names that contain it',
      'list',
      ['test/list.test.ts', 'src/client/list.ts', 'src/long-list.ts'],
    ],
    [
      'paths with its letters in order',
      'srli.t',
      ['src/cli.ts', 'src/long-list.ts', 'src/client/list.ts'],
    ],
    ['large letters as small ones', 'readme', ['README.md']],
    ['a folder', 'client/', ['src/client/list.ts']],
    ['none', 'xyz', []],
  ])('are %s', (_, typed, expected) => {
    expect(fileMatches(paths, typed, 8)).toEqual(expected);
  });
});
