import type { Check, Task } from '../../model/task.ts';
import { block, code, inline } from './markdown.ts';

/** One task of `plan.md`. */
export function taskText(task: Task): string {
  const parts = [
    `## ${inline(task.id)}: ${inline(task.title)}`,
    block(task.description),
    bullets('Files', (task.files ?? []).map(fileText)),
    numbered('Steps', (task.implementation ?? []).map(stepText)),
    bullets('Done when', task.convergence.criteria.map(inline)),
    bullets('Checks', (task.checks ?? []).map(checkText)),
    bullets('Tests', testTexts(task)),
    bullets('Follow', (task.reference?.files ?? []).map(code)),
    bullets('Risks', (task.risks ?? []).map(riskText)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function bullets(title: string, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  return `**${title}**\n\n${entries.map((entry) => `- ${entry}`).join('\n')}`;
}

function numbered(title: string, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  return `**${title}**\n\n${entries.map((entry, index) => `${index + 1}. ${entry}`).join('\n')}`;
}

function fileText({
  path,
  action,
  target,
  change,
  changes = [],
}: NonNullable<Task['files']>[number]): string {
  const what = [change, ...changes].filter((text) => text !== undefined).join('; ');
  const place = target === undefined ? '' : ` (${inline(target)})`;
  return `${action ?? 'touch'} ${code(path)}${place}${what === '' ? '' : `: ${inline(what)}`}`;
}

function stepText(step: NonNullable<Task['implementation']>[number]): string {
  if (typeof step === 'string') return inline(step);
  const { title = '', description } = step;
  const [verb = ''] = title.split(' ');
  const told = verb === '' || description.toLowerCase().startsWith(verb.toLowerCase());
  return told ? inline(description) : `${inline(title)}: ${inline(description)}`;
}

function checkText(check: Check): string {
  switch (check.kind) {
    case 'command':
      return `command: ${code(check.argv.map(quoted).join(' '))}`;
    case 'test':
      return `test: ${code(check.path)}${check.name === undefined ? '' : ` (${inline(check.name)})`}`;
    case 'file':
      return `file: ${code(check.path)} ${check.exists ? 'exists' : 'is gone'}`;
    case 'symbol':
      return `symbol: ${code(check.path)} defines ${code(check.symbol)}`;
    case 'text':
      return `text: ${code(check.path)} contains ${code(check.contains)}`;
    case 'manual':
      return `by a person: ${inline(check.describes)}`;
  }
}

function quoted(argument: string): string {
  return /^[\w./:=@-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

function testTexts({ test }: Task): readonly string[] {
  if (test === undefined) return [];
  const commands = Array.isArray(test.commands)
    ? test.commands
    : Object.values(test.commands ?? {});
  return [
    ...commands.map((command) => `run ${code(command)}`),
    ...(test.unit ?? []).map((unit) => `unit: ${inline(unit)}`),
    ...(test.integration ?? []).map((one) => `integration: ${inline(one)}`),
    ...(test.manual_checks ?? []).map((check) => `by hand: ${inline(check)}`),
  ];
}

function riskText({
  description,
  probability,
  impact,
  mitigation,
}: NonNullable<Task['risks']>[number]): string {
  return `${inline(description)} (probability ${probability}, impact ${impact}): ${inline(mitigation)}`;
}
