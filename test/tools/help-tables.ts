import { planningCommands } from '../../src/commands/program/planning.ts';
import { type Setting, longFlag } from '../../src/model/setting.ts';
import { settingsList } from '../../src/model/settings.ts';

/** The path of a page of the help. */
export function pagePath(page: string): string {
  return new URL(`../../templates/help/${page}.md`, import.meta.url).pathname;
}

/** A page with this table at its mark. Throws where the page has no such mark. */
export function withTable(text: string, { page, mark, table }: (typeof pageTables)[number]) {
  const place = new RegExp(`(<!-- table: ${mark} -->\n\n)(?:\\|.*\n)*`);
  if (!place.test(text)) throw new Error(`${page}.md has no place for the table of ${mark}.`);
  return text.replace(place, (_, head: string) => `${head}${table}`);
}

function flagsTable(): string {
  const { options = [] } = planningCommands(settingsList).find(({ name }) => name === 'plan') ?? {};
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
  return [longFlag(setting), setting.variable ?? '']
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

/** The pages of the help with a table that the program declares: its mark, and the table as text. */
export const pageTables = [
  { page: 'commands', mark: 'flags', table: flagsTable() },
  { page: 'settings', mark: 'settings', table: settingsTable() },
] as const;
