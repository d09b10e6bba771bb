import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

export type Values = Readonly<Record<string, string>>;

const templates = new Map<string, string>();

/**
 * Fills the `{{names}}` of `templates/NAME.md`. Values go in as they are: a `{{name}}` inside a
 * value stays text. A name without a value, or a value without a place, is a bug and throws.
 */
export function renderTemplate(name: string, values: Values): string {
  return fill(name, templateText(name), values);
}

/** The filling itself, apart from where the text comes from. */
export function fill(name: string, template: string, values: Values): string {
  const unused = new Set(Object.keys(values));
  const text = template.replace(/\{\{(\w+)\}\}/g, (_place, key: string) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) throw new Error(`Template "${name}" has no value for {{${key}}}.`);
    unused.delete(key);
    return value;
  });
  const [extra] = unused;
  if (extra !== undefined) throw new Error(`Template "${name}" has no place for "${extra}".`);
  return text;
}

function templateText(name: string): string {
  const cached = templates.get(name);
  if (cached !== undefined) return cached;
  const text = readFileSync(join(packageRoot(), 'templates', `${name}.md`), 'utf8').trim();
  templates.set(name, text);
  return text;
}
