import { shapeOf } from '../../model/config.ts';
import { Stopped, wrongUsage } from '../../model/failure.ts';
import { type Setting, longFlag } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';
import { closestName } from '../closest-name.ts';
import { type Leaf, type PathStarts, type Source, keyOf, leavesOf, pathOf } from './leaf.ts';

/**
 * The settings that `CONCLAVE_*` variables make; an empty variable says nothing. A name that is
 * nearly one of ours gives a warning, as other programs may use the prefix as well. Throws
 * `config`, naming the variable, for a value that does not fit.
 */
export function environmentLeaves(
  environment: NodeJS.ProcessEnv,
  starts: PathStarts,
): { readonly leaves: readonly Leaf[]; readonly warnings: readonly string[] } {
  const leaves: Leaf[] = [];
  const warnings: string[] = [];
  for (const [name, text = ''] of Object.entries(environment)) {
    if (!name.startsWith('CONCLAVE_') || text.trim() === '') continue;
    const stop: Source['stop'] = (path, demand) =>
      new Stopped({ reason: 'config', file: name, message: `${keyOf(path)} ${demand}.` });
    const found = settingOf(name);
    if (found === null) warnings.push(...misspelt(name));
    else {
      const value = valueOf(found.setting, text);
      leaves.push(...leavesOf({ ...found, value, source: { name, starts, stop } }));
    }
  }
  return { leaves, warnings };
}

/**
 * The settings that flags make, from what commander read. Throws `usage`, naming the flag, for a
 * value that does not fit.
 */
export function flagLeaves(values: object): readonly Leaf[] {
  const given = new Map<string, unknown>(Object.entries(values));
  return settingsList.flatMap((setting) => {
    const name = longFlag(setting);
    const said = given.get(optionName(name));
    const stop: Source['stop'] = (_, demand) => wrongUsage(`${name} ${demand}.`);
    const source = { name, stop };
    const leavesAt = (of: string, value: unknown) =>
      leavesOf({ setting, path: pathOf(setting, of), value, source });
    // A switch comes without any text, a flag that may be given again as a list.
    if (typeof said === 'boolean') return leavesAt('', said);
    const texts = [said].flat().flatMap((text) => (typeof text === 'string' ? text.trim() : []));
    if (texts.includes('')) throw stop([], 'needs a value');
    if (setting.addsUp === true) return texts.length === 0 ? [] : leavesAt('', texts);
    return texts.flatMap((text) => {
      const { of, value } = namedValue(setting, text, source);
      return leavesAt(of, valueOf(setting, value));
    });
  });
}

/** NAME=VALUE where the user gives the name that stands for `*`. */
function namedValue(setting: Setting, text: string, { stop }: Source) {
  if (!setting.path.includes('*')) return { of: '', value: text };
  const [, of, value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (of !== undefined) return { of: of.trim(), value };
  const [, placeholder] = /<(.+)>/.exec(setting.flag ?? '') ?? [];
  throw stop([], `takes ${placeholder}, not ${JSON.stringify(text)}`);
}

/** The name under which commander gives a flag. */
function optionName(flag: string): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function settingOf(variable: string): Pick<Leaf, 'setting' | 'path'> | null {
  for (const setting of settingsList) {
    if (setting.variable === undefined) continue;
    const pattern = new RegExp(`^${setting.variable.replace('*', '([A-Z0-9_]+)')}$`);
    const [found, name = ''] = pattern.exec(variable) ?? [];
    if (found !== undefined) return { setting, path: pathOf(setting, name.toLowerCase()) };
  }
  return null;
}

/** A text that is no value of its kind stays a text, and the check says what is wrong with it. */
function valueOf(setting: Setting, text: string): unknown {
  const word = text.trim();
  const { type } = shapeOf(setting).def;
  if (type === 'number') return /^\d+(\.\d+)?$/.test(word) ? Number(word) : word;
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
  const variables = settingsList.flatMap((setting) => setting.variable ?? []);
  const near = closestName(variable, variables);
  return near === null ? [] : [`The variable ${variable} is no setting; did you mean ${near}?`];
}
