import { Config, shapeOf } from '../../model/config.ts';
import { Stopped } from '../../model/failure.ts';
import type { Setting } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';
import { closestName } from '../closest-name.ts';
import { type Fault, faultOf } from './fault-text.ts';
import { type Leaf, type PathStarts, leavesOf, pathOf } from './leaf.ts';

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
  for (const [source, text = ''] of Object.entries(environment)) {
    if (!source.startsWith('CONCLAVE_') || text.trim() === '') continue;
    const stop = (message: string) => new Stopped({ reason: 'config', file: source, message });
    const refuse = ({ message }: Fault) => stop(message);
    const found = settingOf(source);
    if (found === null) warnings.push(...misspelt(source));
    else {
      const value = valueOf(found.setting, text);
      leaves.push(...checked({ ...found, value }, { source, stop, refuse, starts }));
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
    const [source = ''] = /--[a-z-]+/.exec(setting.flag ?? '') ?? [];
    const said = given.get(optionName(source));
    if (said === undefined) return [];
    const stop = (message: string) => usage(`${source}: ${message}`);
    const refuse = ({ demand }: Fault) => usage(`${source} ${demand}`);
    // None of them is a path.
    const starts = { folder: '/', home: '/' };
    return partsOf(setting, said).flatMap((part) => {
      if ('wrong' in part) throw usage(`${source} ${part.wrong}.`);
      return checked({ setting, ...part }, { source, stop, refuse, starts });
    });
  });
}

function usage(message: string): Stopped {
  return new Stopped({ reason: 'usage', message });
}

/** The name under which commander gives a flag. */
function optionName(flag: string): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type Part =
  | { /** What `*` stands for. */ readonly name: string; readonly value: unknown }
  | { readonly wrong: string };

/** A switch comes without any text, a flag that may be given again as a list. */
function partsOf(setting: Setting, said: unknown): readonly Part[] {
  if (said === true) return [{ name: '', value: true }];
  const texts = [said].flat().map((text) => String(text).trim());
  if (texts.includes('')) return [{ wrong: 'needs a value' }];
  if (setting.addsUp === true) return [{ name: '', value: texts }];
  return texts.map((text) => {
    if (!setting.path.includes('*')) return { name: '', value: valueOf(setting, text) };
    const [, name, value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
    if (name !== undefined) return { name: name.trim(), value: valueOf(setting, value) };
    const [, placeholder] = /<(.+)>/.exec(setting.flag ?? '') ?? [];
    return { wrong: `takes ${placeholder}, not ${JSON.stringify(text)}` };
  });
}

function settingOf(variable: string): { readonly setting: Setting; readonly name: string } | null {
  for (const setting of settingsList) {
    if (setting.variable === undefined) continue;
    const pattern = new RegExp(`^${setting.variable.replace('*', '([A-Z0-9_]+)')}$`);
    const [found, name = ''] = pattern.exec(variable) ?? [];
    if (found !== undefined) return { setting, name: name.toLowerCase() };
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

/** The leaves of one value. */
function checked(
  { setting, name, value }: { setting: Setting; name: string; value: unknown },
  from: {
    readonly source: string;
    readonly stop: Leaf['stop'];
    readonly refuse: (fault: Fault) => Stopped;
    readonly starts: PathStarts;
  },
): readonly Leaf[] {
  const config = pathOf(setting, name).reduceRight<unknown>(
    (inner, part) => ({ [part]: inner }),
    value,
  );
  const parsed = Config.safeParse(config, { reportInput: true });
  if (!parsed.success) throw from.refuse(faultOf(parsed.error));
  const { source, starts, stop } = from;
  return leavesOf({ config: parsed.data, source, starts, stopAt: (_, message) => stop(message) });
}

function misspelt(variable: string): readonly string[] {
  const near = closestName(
    variable,
    settingsList.flatMap((setting) => setting.variable ?? []),
  );
  return near === null ? [] : [`The variable ${variable} is no setting; did you mean ${near}?`];
}
