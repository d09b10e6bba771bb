import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../../../src/faces/tui/ports.ts';
import { startRows } from '../../../../src/faces/tui/screens/start/start-screen.tsx';
import {
  type StartState,
  firstRound,
  fileMatches,
  mentionIn,
  offersFor,
  startingStart,
  switchAgent,
  withOffer,
} from '../../../../src/faces/tui/screens/start/start-state.ts';
import { textField } from '../../../../src/faces/tui/widgets/text-field/field.ts';

function standing(name: string, part: Partial<AgentState> = {}): AgentState {
  const nothing = { version: null, model: null, why: null, remedy: null, login: null };
  return { name, kind: 'model', state: 'ready', part: 'asked', turn: 0, ...nothing, ...part };
}

const missing = {
  state: 'not-installed',
  part: 'not used',
  turn: null,
  remedy: 'Install it: npm install -g alpha.',
} as const;
const standsIn = { part: 'backup', turn: null } as const;
const analysts = [
  standing('structure', { ...standsIn, kind: 'analyst' }),
  standing('history', { ...standsIn, kind: 'analyst' }),
];

function screen(part: Partial<Parameters<typeof startRows>[0]>): string {
  const common = { field: textField(), active: true };
  const shown = { ...common, state: startingStart, width: 80, height: 19 };
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

const names = (one: StartState) => firstRound(one).map(({ name }) => name);

describe('the first round', () => {
  const standings = [standing('b', { turn: 1 }), standing('a'), ...analysts];
  const state = { ...startingStart, standings };

  test('has the agents in the order in which they are asked', () => {
    expect(names(state)).toEqual(['a', 'b']);
  });

  test('has who was switched on last at its end, and somebody at any time', () => {
    const off = { ...state, ...switchAgent(state, standing('a')) };
    expect(names(off)).toEqual(['b']);
    expect(names({ ...off, ...switchAgent(off, standing('a')) })).toEqual(['b', 'a']);
    expect(switchAgent(off, standing('b'))).toEqual({
      note: 'At least one agent has to be asked.',
    });
    const out = standing('c', missing);
    expect(switchAgent(off, out)).toEqual({ note: 'c is not ready to be asked.' });
  });
});

describe('the screen', () => {
  test('has its field before any agent is known', () => {
    expect(screen({})).toMatchInlineSnapshot(`
      "What do you want done?                          @ adds a file · / lists commands
      │ e.g. Add rate limiting to the login endpoint

      Looking for agents…"
    `);
  });

  test('says who takes part and why, and whose seat another took', () => {
    const standings = [
      standing('alpha', { ...missing, isMissed: true }),
      standing('beta'),
      standing('gamma', { turn: 1 }),
    ];
    expect(screen({ state: { ...startingStart, standings }, width: 100 })).toContain(
      'First round: beta and gamma, the first that are ready, without alpha (not installed)',
    );
  });

  test('says what a session uses of a plan where it was seen, and that it is not known yet where not', () => {
    const standings = [
      standing('alpha', { tellsPlan: true }),
      standing('beta', { tellsPlan: true, turn: 1 }),
      standing('gamma', { turn: 2 }),
    ];
    const untold = 'what a session uses of the plan of alpha and beta is not known yet';
    expect(screen({ state: { ...startingStart, standings } })).toContain(untold);
    const window = { agent: 'alpha', name: '5-hour window', moved: 0.06, resets_at: 1 };
    const forecast = { tokens: 48_000, cost_usd: 0, windows: [window] };
    const shown = screen({ state: { ...startingStart, standings, forecast } });
    expect(shown).toContain(
      'earlier sessions here used about 48k tokens, 6 % of your 5-hour window (alpha)',
    );
    expect(shown).toContain('of the plan of beta is not known yet');
  });

  test('shows who is ready, who is missing and what mends it', () => {
    const all = [
      standing('alpha', missing),
      standing('beta', { version: '1.2.3', turn: 1, vendor: 'acme', transport: 'cli' }),
      standing('delta', { model: 'grok-4', vendor: 'xai', transport: 'api', turn: 2 }),
      standing('gamma', {
        ...missing,
        state: 'not-logged-in',
        remedy: 'Log in: gamma login.',
      }),
      ...analysts,
    ];
    const state = { ...startingStart, standings: all };
    expect(screen({ state })).toMatchInlineSnapshot(`
      "What do you want done?                          @ adds a file · / lists commands
      │ e.g. Add rate limiting to the login endpoint

      First round: beta and delta, as set

      ✓ beta      ready         asked     1.2.3       default model · acme · cli
      ✓ delta     ready         asked                 grok-4 · xai · api
      ! gamma     not logged in           gamma login
      ✓ structure ready         backup    built in, uses no model
      ✓ history   ready         backup    built in, uses no model
      Not installed: alpha (tab shows more)"
    `);
  });

  test('says plainly that only the analysts will work', () => {
    const [structure, history] = analysts.map((one, turn) => ({ ...one, turn }));
    const standings = [standing('alpha', missing), structure, history].flatMap((one) => one ?? []);
    const state = { ...startingStart, standings };
    expect(screen({ state })).toContain('No agent with a model is ready');
  });

  test('never has a row that is too wide or one too many', () => {
    const standings = [standing('a'.repeat(40), missing), ...analysts];
    const state = { ...startingStart, standings };
    const field = textField('漢字 '.repeat(400));
    for (const [width, height] of [
      [80, 19],
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
    expect(mentionIn(textField(text))).toBe(typed);
  });

  test('takes the place of what was typed', () => {
    const field = textField('Change @li');
    const list = offersFor(state, field);
    expect(list && withOffer(field, list)?.text).toBe('Change src/list.ts ');
  });

  test('is not offers again where its list was closed', () => {
    expect(offersFor({ ...state, closed: 7 }, textField('Change @li'))).toBeNull();
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
      'names that begin with it, then names that contain it, then paths',
      'li',
      ['test/list.test.ts', 'src/client/list.ts', 'src/cli.ts', 'src/long-list.ts'],
    ],
    ['large letters as small ones', 'readme', ['README.md']],
    ['a folder', 'client/', ['src/client/list.ts']],
    ['none', 'xyz', []],
  ])('are %s', (_, typed, expected) => {
    expect(fileMatches(paths, typed)).toEqual(expected);
  });
});
