// Makes the parts of the help pages that the program declares.
import { type Setting, longFlag, tableOf } from '../../src/model/setting.ts';
import { settingsList } from '../../src/model/settings.ts';

/** The path of a page of the help. */
export function pagePath(page: string): string {
  return new URL(`../../templates/help/${page}.md`, import.meta.url).pathname;
}

/** Puts the list of settings after its mark, up to the end of the page. Throws where the mark is missing. */
export function withSettings(page: string): string {
  const mark = '<!-- settings -->\n\n';
  if (!page.includes(mark)) throw new Error('settings.md has no place for the settings.');
  return `${page.slice(0, page.indexOf(mark))}${mark}${settingsText()}`;
}

/** Lists the settings of each table of the file under its name. */
function settingsText(): string {
  const groups = Map.groupBy(settingsList, tableOf);
  const parts = [...groups].map(([table, settings]) => {
    const title = `### \`[${named(table)}]\``;
    return `${title}\n\n${settings.map((setting) => lineOf(setting, table)).join('\n')}\n`;
  });
  return parts.join('\n');
}

function lineOf(setting: Setting, table: string): string {
  const facts = [defaultOf(setting), namesOf(setting), projectOf(setting)].filter(Boolean);
  const more = facts.length === 0 ? '' : ` (${facts.join('; ')})`;
  return `- \`${named(setting.path.slice(table.length + 1))}\`: ${setting.about}${more}`;
}

function defaultOf(setting: Setting): string {
  const text = JSON.stringify(setting.default);
  return text === undefined || text === '[]' || text === '{}' ? '' : `default \`${text}\``;
}

function namesOf(setting: Setting): string {
  const names = [longFlag(setting), setting.variable ?? ''].filter(Boolean);
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Says what an untrusted project may set; nothing where it may set nothing. */
function projectOf({ untrusted }: Setting): string {
  if (untrusted === undefined) return '';
  const may = typeof untrusted === 'string' ? words[untrusted] : JSON.stringify(untrusted.only);
  return `project: ${may}`;
}

const words = {
  any: 'any',
  'at-most': 'lower',
  'as-data': 'as data',
  among: 'fewer',
};

function named(path: string): string {
  return path.replace('*', 'NAME');
}
