// Lists the settings that a session keeps when it is resumed.
import { isDeepStrictEqual } from 'node:util';
import { shapeOf } from '../../model/setting-shape.ts';
import { formatVersion } from '../../model/id-patterns.ts';
import { longFlag } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';
import type { Journal, JournalRecord } from '../../store/journal.ts';
import { foldFinishedSteps } from '../../store/recorded-steps.ts';
import { findTask } from '../../workflow/recorded.ts';
import { type Leaf, type Leaves, keyOf, leafOf, mergeLeaves, pathOf } from './leaf.ts';

/**
 * The settings with which a session was started, and those that flags of a later resume changed, from its
 * journal. They override files and variables, and flags override them.
 */
export function sessionLeaves(records: readonly JournalRecord[]): Leaves {
  const start = findTask(foldFinishedSteps(records))?.settings ?? {};
  const saved = [
    ...Object.entries(start).map(([name, value]) => ({ key: `workflow.${name}`, value })),
    ...records.flatMap((record) => (record.type === 'set' ? record.settings : [])),
  ];
  return mergeLeaves(saved.flatMap(({ key, value }) => savedLeaf(key, value)));
}

function savedLeaf(key: string, value: unknown): readonly Leaf[] {
  // No setting of a session has a name that contains a dot.
  const middle = key.split('.')[1] ?? '';
  const setting = settingsList.find((one) => keyOf(pathOf(one, middle)) === key);
  // A session may set nothing else, whoever wrote its journal.
  if (setting?.ofSession === undefined || !shapeOf(setting).safeParse(value).success) return [];
  const name = setting.path.includes('*') ? middle : '';
  return [leafOf(setting, value, { name, source: 'the session' })];
}

/** Records the settings that a session keeps, unless its journal already has them. */
export async function recordSettings(
  journal: Journal,
  settings: readonly Leaf[],
  now: Date,
): Promise<void> {
  const known = sessionLeaves(journal.records);
  const changed = settings
    .filter((leaf) => leaf.setting.ofSession === 'always' || isFromFlag(leaf))
    .filter((leaf) => differs(leaf, known))
    .map(({ key, value }) => ({ key, value }));
  if (changed.length === 0) return;
  const at = now.toISOString();
  await journal.append({ v: formatVersion, at, type: 'set', settings: changed }, { flush: true });
}

/** The settings that a resumed session keeps or changes, each as its flag. */
export interface ResumedSettings {
  /** Settings as at its start, although files and variables now say otherwise. */
  readonly kept: readonly string[];
  /** Settings changed by flags of this resume. */
  readonly changed: readonly string[];
}

/** Says what a resumed session keeps and what it changes; `today` has the settings without those of the session. */
export function compareSettings({
  session,
  settings,
  today,
}: {
  readonly session: Leaves;
  readonly settings: readonly Leaf[];
  readonly today: readonly Leaf[];
}): ResumedSettings {
  const now = mergeLeaves(today);
  const ofSession = settings.filter(
    ({ setting, value }) => setting.ofSession !== undefined && [value].flat().length > 0,
  );
  return {
    kept: ofSession.filter((leaf) => differs(leaf, now) && !differs(leaf, session)).map(asFlag),
    changed: ofSession.filter((leaf) => isFromFlag(leaf) && differs(leaf, session)).map(asFlag),
  };
}

function differs({ key, value }: Leaf, from: Leaves): boolean {
  return !isDeepStrictEqual(from.get(key)?.value, value);
}

function isFromFlag({ setting, source }: Leaf): boolean {
  return (
    setting.ofSession !== undefined && source.name.split(', ').some((name) => name.startsWith('--'))
  );
}

/** Writes `--max-rounds 2` or `--model claude=sonnet`; a setting without a flag is written with its key. */
function asFlag({ key, name, value, setting }: Leaf): string {
  const flag = longFlag(setting) || key;
  if (value === true) return flag;
  if (setting.addsUp === true) {
    const texts = [value].flat().map((text) => `${flag} ${JSON.stringify(text)}`);
    return texts.join(' ');
  }
  return `${flag} ${name === '' ? '' : `${name}=`}${[value].flat().join(',')}`;
}
