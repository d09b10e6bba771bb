import { isDeepStrictEqual } from 'node:util';
import { shapeOf } from '../../model/config.ts';
import { wrongUsage } from '../../model/failure.ts';
import { formatVersion } from '../../model/session.ts';
import { longFlag } from '../../model/setting.ts';
import type { Journal, JournalRecord } from '../../store/journal.ts';
import { finishedSteps } from '../../store/recorded-steps.ts';
import { recordedTask } from '../../workflow/recorded.ts';
import { type Leaf, type Source, leafOf, mergeLeaves, settingAt } from './leaf.ts';

/**
 * The settings that a session was started with, and what the flags of a later resume changed, as
 * its journal has them. They stand above files and variables, and below flags.
 */
export function sessionLeaves(records: readonly JournalRecord[]): readonly Leaf[] {
  const start = recordedTask(finishedSteps(records))?.settings ?? {};
  const said = [
    ...Object.entries(start).map(([name, value]) => ({ key: `workflow.${name}`, value })),
    ...records.flatMap((record) => (record.type === 'set' ? record.settings : [])),
  ];
  return [...mergeLeaves(said.flatMap(({ key, value }) => savedLeaf(key, value))).values()];
}

/** Records what differs from what the journal knows. */
export async function recordSettings(journal: Journal, settings: readonly Leaf[]): Promise<void> {
  const known = valuesOf(sessionLeaves(journal.records));
  const changed = settings
    .filter(isOfSession)
    .filter(({ key, value }) => !isDeepStrictEqual(known.get(key), value))
    .map(({ key, value }) => ({ key, value }));
  if (changed.length === 0) return;
  const at = new Date().toISOString();
  await journal.append({ v: formatVersion, at, type: 'set', settings: changed }, { flush: true });
}

/** What a resumed session goes by, each as its flag. */
export interface ResumedSettings {
  /** As at its start, although files and variables say otherwise now. */
  readonly kept: readonly string[];
  /** By flags of this resume. */
  readonly changed: readonly string[];
}

/** `today` are the settings without those of the session. */
export function resumedSettings({
  leaves,
  settings,
  today,
}: {
  readonly leaves: readonly Leaf[];
  readonly settings: readonly Leaf[];
  readonly today: readonly Leaf[];
}): ResumedSettings {
  const known = valuesOf(leaves);
  const ofSession = settings.filter(({ setting }) => setting.ofSession !== undefined);
  const differs = (from: ReadonlyMap<string, unknown>) =>
    ofSession.filter(({ key, value }) => !isDeepStrictEqual(from.get(key), value));
  return {
    kept: differs(valuesOf(today))
      .filter(({ key, value }) => isDeepStrictEqual(known.get(key), value))
      .map(asFlag)
      .filter((flag) => flag !== ''),
    changed: differs(known).filter(isByFlag).map(asFlag),
  };
}

function savedLeaf(key: string, value: unknown): readonly Leaf[] {
  // No setting of a session has a name with a dot in it.
  const path = key.split('.');
  const setting = settingAt(path);
  // A later version may know other settings, or other values of this one.
  if (setting === undefined || !shapeOf(setting).safeParse(value).success) return [];
  const stop: Source['stop'] = (_, demand) => {
    const said = `${key} = ${JSON.stringify(value)}`;
    return wrongUsage(`The session was started with ${said}, but ${key} ${demand}.`);
  };
  return [leafOf({ setting, path, value, source: { name: 'the session', stop } })];
}

function valuesOf(leaves: readonly Leaf[]): ReadonlyMap<string, unknown> {
  return new Map(leaves.map(({ key, value }) => [key, value]));
}

function isOfSession(one: Leaf): boolean {
  const kept = one.setting.ofSession;
  return kept === 'always' || (kept === 'by-flag' && isByFlag(one));
}

function isByFlag({ source }: Leaf): boolean {
  return source.name.split(', ').some((name) => name.startsWith('--'));
}

/** `--max-rounds 2`, `--model claude=sonnet`; a setting without a flag by its own name. */
function asFlag({ key, value, setting }: Leaf): string {
  const flag = longFlag(setting) || key;
  if (value === true) return flag;
  if (setting.addsUp === true && Array.isArray(value)) {
    return value.map((text) => `${flag} ${JSON.stringify(text)}`).join(' ');
  }
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return `${flag} ${setting.path.includes('*') ? `${key.split('.')[1]}=` : ''}${text}`;
}
