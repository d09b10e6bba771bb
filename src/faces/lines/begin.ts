import { counted, oneLine } from '../../model/wording.ts';
import { ago } from '../short-forms.ts';
import type { SavedEntry, TuiPorts } from '../tui/ports.ts';
import { habitOf, type Choice } from '../tui/state.ts';
import { choose, type Dialog } from './reader.ts';

type Ports = Pick<TuiPorts, 'sessions'>;

/** Asks for the task, or for one of the saved sessions; null where there is nothing to begin. */
export async function beginByLines(
  lines: Dialog,
  begin: {
    readonly opens: 'start' | 'resume' | 'review';
    readonly ports: Ports;
  },
  signal: AbortSignal,
): Promise<Choice | null> {
  const { opens, ports } = begin;
  if (opens === 'start') return await askTask(lines, ports, signal);
  const choice = await askSaved(lines, { ports, opens }, signal);
  if (choice === null) lines.say('Start one with: conclave "what you want done"');
  return choice;
}

/** One of the saved sessions; null where there is none, which is said. */
async function askSaved(
  lines: Dialog,
  { ports, opens }: { readonly ports: Ports; readonly opens: 'resume' | 'review' },
  signal: AbortSignal,
): Promise<Choice | null> {
  const saved = (await ports.sessions()).filter(({ hasPlan }) => opens === 'resume' || hasPlan);
  if (saved.length > 0) return await askSession(lines, { saved, opens }, signal);
  const what = opens === 'resume' ? 'saved session' : 'session with a plan';
  lines.say(`There is no ${what} here.`);
  return null;
}

/** A pasted task may have several lines, so only an empty line ends it; a habit needs none. */
async function askTask(lines: Dialog, ports: Ports, signal: AbortSignal): Promise<Choice | null> {
  const { reader, say } = lines;
  say('What do you want done? It may take several lines; an empty line ends it.');
  const typed: string[] = [];
  for (;;) {
    const line = await reader.ask('Task: ', signal);
    const habit = typed.length === 0 ? habitOf(line) : null;
    if (habit === 'leave') return null;
    if (habit === 'help') say(...help);
    else if (habit === 'sessions') {
      const choice = await askSaved(lines, { ports, opens: 'resume' }, signal);
      if (choice !== null) return choice;
    } else if (line.trim() !== '') typed.push(line);
    else if (typed.length > 0) return { kind: 'task', task: typed.join('\n') };
    else say('Please say what to plan, e.g. Add a --json flag to the list command.');
  }
}

const help = [
  'Type what you want done, then Enter on an empty line. Nothing in the project is changed.',
  'sessions lists what was saved, exit leaves, and Ctrl-C stops at any time.',
  'All commands and flags: conclave --help',
];

/** Older ones are opened by their id. */
const most = 20;

async function askSession(
  lines: Dialog,
  { saved, opens }: { readonly saved: readonly SavedEntry[]; readonly opens: string },
  signal: AbortSignal,
): Promise<Choice> {
  const told = saved.slice(0, most);
  lines.say(
    `${counted(saved.length, 'saved session')}, the latest first:`,
    ...told.map((entry, index) => `  ${index + 1}. ${sessionText(entry)}`),
    ...(saved.length > most ? [`Open an older one by its id: conclave ${opens} SESSION`] : []),
  );
  const words = told.map((_, index) => String(index + 1));
  for (;;) {
    const typed = await choose(lines, { prompt: 'Session', words }, signal);
    const entry = told[Number(typed) - 1];
    if (entry?.fault === null) return { kind: 'session', id: entry.id };
    lines.say(`It cannot be opened: ${oneLine(entry?.fault ?? '')}`);
  }
}

function sessionText({ id, task, status, phase, changed, fault }: SavedEntry): string {
  if (fault !== null) return `${id}, unreadable`;
  return `${oneLine(task)} (${status} in ${phase}, ${ago(changed, Date.now())} ago)`;
}
