/** What a person wants who types a word that other programs know where a task is asked for. */
type Habit = 'help' | 'leave' | 'sessions';

/** Null for a text that is a task. */
export function habitOf(text: string): Habit | null {
  return habits.get(text.trim().toLowerCase()) ?? null;
}

const habits: ReadonlyMap<string, Habit> = new Map([
  ['?', 'help'],
  ['help', 'help'],
  ['/help', 'help'],
  [':q', 'leave'],
  ['exit', 'leave'],
  ['/exit', 'leave'],
  ['quit', 'leave'],
  ['/quit', 'leave'],
  ['sessions', 'sessions'],
  ['/sessions', 'sessions'],
  ['/resume', 'sessions'],
]);
