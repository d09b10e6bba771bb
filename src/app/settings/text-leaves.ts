// Reads settings from `CONCLAVE_*` variables and from flags.
import { carrierOf, meaningOf } from '../../agents/model-vocabulary.ts';
import { shapeOf } from '../../model/setting-shape.ts';
import { Stopped, wrongUsage } from '../../model/failure.ts';
import { type Setting, longFlag } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';
import { closestName } from '../../model/closest-name.ts';
import { leavesOf } from './checked-leaves.ts';
import { type Leaf, type Source, keyOf } from './leaf.ts';

/**
 * The settings of `CONCLAVE_*` variables; an empty one sets nothing. A name that is nearly one of ours only
 * gives a warning, because other programs may use the prefix. Throws `config`, naming the variable, for a value
 * that does not fit.
 */
export function environmentLeaves(environment: NodeJS.ProcessEnv): {
  readonly leaves: readonly Leaf[];
  readonly warnings: readonly string[];
} {
  const leaves: Leaf[] = [];
  const warnings: string[] = [];
  for (const [name, text = ''] of Object.entries(environment)) {
    if (!name.startsWith('CONCLAVE_') || text.trim() === '') continue;
    const stop: Source['stop'] = (path, demand) =>
      new Stopped({ reason: 'config', file: name, message: `${keyOf(path)} ${demand}.` });
    const setting = settingsList.find(({ variable }) => variable === name);
    if (setting === undefined) warnings.push(...misspelt(name));
    else
      leaves.push(...leavesOf({ setting, value: valueOf(setting, text), source: { name, stop } }));
  }
  return { leaves, warnings };
}

/** The settings of flags, as commander read them. Throws `usage`, naming the flag, for a value that does not fit. */
export function flagLeaves(values: object): readonly Leaf[] {
  const given = new Map<string, unknown>(Object.entries(values));
  return settingsList.flatMap((setting) => {
    const flag = longFlag(setting);
    // A switch is given as true, a repeatable flag as a list.
    const texts = [given.get(optionName(flag)) ?? []]
      .flat()
      .map(String)
      .map((text) => text.trim());
    const stop: Source['stop'] = (_, demand) => wrongUsage(`${flag} ${demand}.`);
    const source = { name: flag, stop };
    if (texts.includes('')) throw stop([], 'needs a value');
    if (setting.addsUp === true && texts.length > 0) {
      return leavesOf({ setting, value: texts, source });
    }
    return texts.flatMap((text) => {
      const { path, flagName = '' } = setting;
      const isNamed = path.includes('*') && flagName === '';
      const [name, value] = isNamed ? namedValue(text, source) : [flagName, text];
      return leavesOf({ setting, name, value: valueOf(setting, value), source });
    });
  });
}

/** The settings of these flags and of no others. Throws for a name that is the flag of no setting. */
export function settingLeaves(values: object): readonly Leaf[] {
  const known = new Set(settingsList.map((setting) => optionName(longFlag(setting))));
  const unknown = Object.keys(values).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`no setting has the flag ${unknown}`);
  return flagLeaves(values);
}

/** Splits AGENT=NAME, in which the user says what replaces `*`; or finds the only CLI that carries a model. */
function namedValue(text: string, { stop }: Source): readonly [name: string, value: string] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const agent = name === undefined ? carrierOf(text) : null;
  if (agent !== null) return [agent, text];
  const meaning = name === undefined ? meaningOf(text, []) : null;
  if (meaning?.kind === 'nobody') throw stop([], `cannot be ${text}: ${meaning.why}`);
  if (name === undefined) throw stop([], `takes AGENT=NAME, not ${JSON.stringify(text)}`);
  return [name.trim(), value];
}

/** The name under which commander stores a flag. */
function optionName(flag: string): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Reads a text according to the kind of the setting; an unfit one stays a text, and the check reports it. */
export function valueOf(setting: Setting, text: string): unknown {
  const word = text.trim();
  const { type } = shapeOf(setting).def;
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word;
  if (type === 'boolean') return switches.get(word.toLowerCase()) ?? word;
  if (type !== 'array') return word;
  const parts = text.split(setting.addsUp === true ? '\n' : ',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

const switches = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);

function misspelt(variable: string): readonly string[] {
  const variables = settingsList.flatMap(({ variable: own = [] }) => own);
  const near = closestName(variable, variables);
  return near === null ? [] : [`The variable ${variable} is not a setting; did you mean ${near}?`];
}
