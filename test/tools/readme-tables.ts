import { planningCommands } from '../../src/commands/program/planning.ts';
import type { Setting } from '../../src/model/setting.ts';
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

function names({ flag, variable }: Setting): string {
  const [long] = /--[a-z-]+/.exec(flag ?? '') ?? [];
  return [long, variable?.replace('*', 'NAME')]
    .flatMap((name) => (name === undefined ? [] : [`\`${name}\``]))
    .join(', ');
}

function projects({ untrusted, default: held }: Setting): string {
  switch (untrusted) {
    case 'any':
      return 'any value';
    case 'true':
    case 'false':
      return `only \`${untrusted}\``;
    case 'default':
      return `only \`${JSON.stringify(held)}\``;
    case 'at-most':
      return 'up to yours';
    case 'lower':
      return 'any value, up to yours';
    case 'among':
      return 'a part of yours';
    case undefined:
    default:
      return 'no';
  }
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(lineOf).join('');
}

function lineOf(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|\n`;
}
