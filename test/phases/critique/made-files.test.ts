import { describe, expect, test } from 'vitest';
import { checkPlanPlaces } from '../../../src/phases/critique/judge-places.ts';

const paths = [
  'src/cli.js',
  'src/commands/list.js',
  'src/one/index.js',
  'src/two/index.js',
  'README.md',
];
const files = {
  list: async () => paths,
  read: async (path: string) => (paths.includes(path) ? 'one\n'.repeat(20) : null),
  find: async () => new Map(),
  ignored: async () => new Set<string>(),
};

/** The paths of a plan that are not there, with what becomes of them. */
async function missing(plan: string): Promise<string> {
  const { places } = await checkPlanPlaces(plan, files);
  return places
    .flatMap(({ kind, status, path }) =>
      kind === 'name' || status === 'there' ? [] : `${status} ${path}`,
    )
    .join(', ');
}

describe('a file that a plan makes is new, whatever words say so', () => {
  test.each([
    '- [ ] T012 [P] [US1] Create User model in src/models/user.py',
    '- [ ] T011 [P] [US1] Contract test for POST /users in tests/contract/test_users.py',
    '- [ ] T014 Implement UserService in src/services/user_service.py (depends on T012)',
    '- [ ] T005 Handle the flag in lib/cli.js',
    'Create a helper to read and parse the settings in `lib/settings/read.js`.',
    'Add `lib/settings/read.js`.',
    'Add a new module (`lib/settings/read.js`) for it.',
    'Extract the parser into `lib/settings/read.js`.',
    'Rename `src/cli.js` to `lib/settings/main.js`.',
    '- `lib/settings/read.js` (new): reads the settings.',
    '| `lib/settings/read.js` | Create | reads the settings |',
    '## New files\n\n- `lib/settings/read.js`: reads the settings.',
    '**Files to create:**\n- `lib/settings/read.js`',
  ])('%s', async (line) => {
    expect(await missing(line)).toMatch(/^new [^,]+$/);
  });
});

describe('a file that a plan takes to be there is wrong', () => {
  test.each([
    'Add a flag in `lib/settings/read.js`.',
    'Create a test for `lib/settings/read.js`.',
    'Create the flag. Change `lib/settings/read.js`.',
    'Add tests and update `lib/settings/read.js`.',
    'Create it like `lib/settings/read.js`.',
    'Update `src/settings.js`.',
    '## Files to modify\n\n- `src/settings.js`: reads the flag',
    '- [ ] T004 Update the parser in lib/settings/read.py',
    '## Files to change\n\n- `lib/settings/read.js`',
    'It updates `src/settings.js`.',
    'Changes to `src/settings.js`:',
    'Read the flag (update `src/settings.js`).',
    'Update `src/settings.js` if the flag is set.',
    '- `src/settings.js` (modify)',
    '- **src/settings.js** — update: reads the flag',
    '| File | Action |\n|---|---|\n| `src/settings.js` | **Modify** |',
    'Copy the tool into `src/commands/`. Then modify `src/commands/show.js`.',
  ])('%s', async (line) => {
    expect(await missing(line)).toMatch(/^wrong [^,]+$/);
  });
});

test('a file in a folder that the plan makes is new', async () => {
  const made = 'Create the folder lib/settings/.\n\nPut the reader in `lib/settings/read.js`.';
  expect(await missing(made)).toBe('new lib/settings/read.js');
});

describe('a file of which no English word says that it is there, or made, is not found, and not wrong', () => {
  test.each([
    'Handle it in `src/commands/index.js`.',
    '- `lib/settings/read.js`: reads the settings.',
    '| Settings | `lib/settings/read.js` | reads the settings |',
    'Parse the settings in `lib/settings/read.js`.',
    '- Test: `test/settings/read.test.js`',
    'Add unit tests in `test/settings/read.test.js`.',
    'Erstelle `lib/settings/read.js`, und lies darin die Einstellungen.',
    'In `lib/settings/read.js` 中新建函数',
    '1. 创建 `lib/settings/read.js`',
    '関数を変更(lib/none/x.js)。',
    'Use `@scope/tool/read.js`.',
    'Follow `src/commands/show.js`.',
    'Create it like `src/one/show.js`.',
  ])('%s', async (line) => {
    expect(await missing(line)).toMatch(/^not-found [^,]+$/);
  });
});

describe('what no plan means as one file of this project is no wrong place', () => {
  test.each([
    'Change `plan.md/tasks.md`.',
    'Import it from `../lib/read.js`, as the others do.',
    'Change `@/commands/list.js`, and `commands/list.js` of `@/cli.js`.',
    'Possibly modify: `lib/settings/read.js`.',
    'Do not change `lib/settings/read.js`.',
    'Create or update `lib/settings/read.js`.',
    '- Create/Modify: `lib/settings/read.js`',
    '## Files to modify/create\n\n- `lib/settings/read.js`: reads the flag',
    'Copy the tool into `tools/reader/`. Then modify `tools/reader/cli.js:4`.',
    '```\nlib/\n└── read.js\n```\nUpdate `lib/read.js`.',
    'Deleted `src/settings.js`, and `src/flags.js` (removed).',
    '## Files changed\n\n| `src/settings.js` | **DELETED** (replaced by a folder) |',
    'Expect only source changes and files such as `src/settings.js`.',
    'Test the cookie and its extended expiry in `lib/settings/read.js`.',
    'There are no changes to `lib/settings/read.js`.',
    'Take down the steps (fixture update, sync) in `lib/settings/read.js`.',
    'Note it (see the list of updates) in `lib/settings/read.js`.',
    'Update `lib/settings/read.js` (if it exists).',
    'Change `lib/settings/read.js` if present, else nothing.',
    '- `src/settings.js` — edit page',
    '- `src/settings.js`: update of the page',
    '- [ ] T003 Write Reader to change the flag and delete the entry in src/settings.js',
    '- [ ] T004 Keep the flag via Reader in src/settings.js\n- [ ] T005 Update the flag in src/settings.js',
    'See `+Actions.swift:3` and `+page.js:2-4`.',
    'Edit `+Actions.swift`.',
    'Move `src/cli.js` to `src/commands/`. Then modify `src/commands/cli.js`.',
    'Copy the tool into `src/reader/`. Then modify `src/reader/show.js`.',
  ])('%s', async (line) => {
    expect(await missing(line)).not.toContain('wrong');
  });
});

test('places after the 500th, and the text after 400,000 characters, are told to be unchecked', async () => {
  const many = Array.from({ length: 620 }, (_, at) => `Edit src/cli.js:${at + 1}.`).join('\n');
  expect((await checkPlanPlaces(many, files)).unchecked).toBe(
    'Not checked: 120 places after the first 500.',
  );
  const long = `Edit src/cli.js:1.\n${'word '.repeat(90_000)}`;
  expect((await checkPlanPlaces(long, files)).unchecked).toBe(
    'Not checked: the text after line 2.',
  );
  expect((await checkPlanPlaces('Edit src/cli.js:1.', files)).unchecked).toBeNull();
});
