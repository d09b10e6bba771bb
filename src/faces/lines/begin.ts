// Asks for the task or a saved session line by line.
import { counted, oneLine } from '../../model/wording.ts';
import { ago } from '../short-forms.ts';
import { purposes, habitOf, type Choice, type Sessions } from '../tui/screen-state.ts';
import type { SavedEntry, TuiPorts } from '../tui/ports.ts';
import type { Dialog } from './reader.ts';

type Ports = Pick<TuiPorts, 'sessions'>;

/** Asks for the task, or for one of the saved sessions; null if there is nothing to start. */
export async function askByLines(
  lines: Dialog,
  ports: Ports,
  opens: 'start' | Sessions['purpose'],
): Promise<Choice | null> {
  if (opens === 'start') return await askTask(lines, ports);
  const choice = await askSession(lines, ports, opens);
  if (choice === null) lines.say('Start one with: conclave "what you want done"');
  return choice;
}

/**
 * Asks for the task. A pasted one may have several lines, so only an empty line ends it; a command
 * word needs none.
 */
async function askTask(lines: Dialog, ports: Ports): Promise<Choice | null> {
  lines.say('What do you want done? It may take several lines; an empty line ends it.');
  const typed: string[] = [];
  for (;;) {
    const line = await lines.ask('Task: ');
    const habit = typed.length === 0 ? habitOf(line) : null;
    if (habit === 'leave') return null;
    if (habit === 'help') lines.say(...help);
    else if (habit === 'sessions') {
      const choice = await askSession(lines, ports, 'resume');
      if (choice !== null) return choice;
    } else if (line.trim() !== '') typed.push(line);
    else if (typed.length > 0) return { kind: 'task', task: typed.join('\n') };
    else lines.say('Say what to plan, e.g. Add a --json flag to the list command.');
  }
}

const help = [
  'Type what you want done, then Enter on an empty line. Nothing in the project is changed.',
  'sessions lists what was saved, exit leaves, and Ctrl-C stops at any time.',
  'All commands and flags: conclave --help',
];

const most = 20;

/** Asks for one of the saved sessions; if there is none, says so and returns null. */
async function askSession(
  lines: Dialog,
  ports: Ports,
  opens: Sessions['purpose'],
): Promise<Choice | null> {
  const saved = (await ports.sessions()).filter(purposes[opens].fits);
  if (saved.length === 0) {
    lines.say(purposes[opens].none);
    return null;
  }
  const listed = saved.slice(0, most);
  lines.say(
    `${counted(saved.length, 'saved session')}, the latest first:`,
    ...listed.map((entry, index) => `  ${index + 1}. ${sessionText(entry)}`),
    ...(saved.length > most ? [`Open an older one by its id: conclave ${opens} SESSION`] : []),
  );
  const numbers = listed.map((_, index) => String(index + 1));
  for (;;) {
    const entry = listed[Number(await lines.choose('Session', numbers)) - 1];
    if (entry?.fault === null) return { kind: 'session', id: entry.id };
    lines.say(`It cannot be opened: ${oneLine(entry?.fault ?? '')}`);
  }
}

function sessionText({ id, task, state, changed, fault }: SavedEntry): string {
  if (fault !== null) return `${id}, unreadable`;
  return `${oneLine(task)} (${state}, changed ${ago(changed, Date.now())} ago)`;
}
