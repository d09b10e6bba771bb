import { planningCommands } from '../../src/commands/program/planning.ts';
import { type Setting, longFlag, variableOf } from '../../src/model/setting.ts';
import { settingsList } from '../../src/model/settings.ts';

/** The README with its tables of settings and flags as the program declares them. */
export function withTables(readme: string): string {
  const tables = { flags: flagsTable(), settings: settingsTable() };
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- table: ${name} -->\n\n)(?:\\|.*\n)*`);
    if (!place.test(text)) throw new Error(`README.md has no place for the table of ${name}.`);
    return text.replace(place, (_, mark: string) => `${mark}${table}`);
  }, readme);
}

function flagsTable(): string {
  const { options = [] } = planningCommands.find(({ name }) => name === 'plan') ?? {};
  return tableOf(
    ['flag of `plan` and `resume`', 'what it does'],
    options.map(([flag, about, repeats]) => [
      `\`${flag}\``,
      repeats === undefined ? about : `${about}; ${repeats}`,
    ]),
  );
}

function settingsTable(): string {
  return tableOf(
    ['setting', 'default', 'flag, variable', 'from an untrusted project', 'what it is'],
    settingsList.map((setting) => [
      `\`${setting.path.replace('*', 'NAME')}\``,
      setting.default === undefined ? '' : `\`${JSON.stringify(setting.default)}\``,
      names(setting),
      projects(setting),
      setting.about,
    ]),
  );
}

function names(setting: Setting): string {
  return [longFlag(setting), variableOf(setting).replace('*', 'NAME')]
    .flatMap((name) => (name === '' ? [] : [`\`${name}\``]))
    .join(', ');
}

function projects({ untrusted }: Setting): string {
  if (untrusted === undefined) return 'no';
  return typeof untrusted === 'string'
    ? words[untrusted]
    : `only \`${JSON.stringify(untrusted.only)}\``;
}

const words = {
  any: 'any value',
  'at-most': 'up to yours',
  'as-data': 'as the project’s word',
  among: 'a part of yours',
};

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(lineOf).join('');
}

function lineOf(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|\n`;
}
