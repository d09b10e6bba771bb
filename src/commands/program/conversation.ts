// Lists the commands `work` and `consult`.
import { type CommandEntry, inspection, type OptionEntry } from './shared-options.ts';

const common: readonly OptionEntry[] = [
  ['--session <SESSION>', 'go on with this conversation; without it, a new one begins'],
  ['--model <NAME>', 'the model of the agent; without it, its own'],
  ['--role <ROLE>', 'default, planner, codereviewer, or one of your own'],
  ['--context <PATH>', 'a file that is sent with the question', 'repeatable'],
];

/** The commands of conversations. */
export const conversationCommands: readonly CommandEntry[] = [
  inspection({
    name: 'work',
    summary: 'let an agent work on a task, in a conversation that other agents can continue',
    about:
      'Lets one agent act in this folder: it may edit files and run commands, as its own program ' +
      'allows. What it changed is listed, and --undo brings it back. Without a task, a terminal ' +
      'shows the conversation.',
    argument: ['[TASK...]', 'what it is to do; "-" reads it from standard input'],
    options: [
      ['--agent <AGENT>', 'the agent that works; without it, your default agent'],
      ...common,
      ['--read-only', 'it may read, and change nothing'],
      ['--undo', 'bring back the files as they were before the last turn that changed any'],
    ],
    examples: [
      'work --agent claude "Fix the failing test in test/login.test.ts"',
      'work --agent codex --session SESSION "Now write the changelog entry"',
      'work --undo --session SESSION',
    ],
    topics: ['conversations', 'agents'],
    run: async (words, options) => (await import('../converse.ts')).workCommand(words, options),
  }),
  inspection({
    name: 'consult',
    summary: 'ask one model for an opinion',
    about:
      'Asks one agent a question. It works in an empty folder and reads only what you add with ' +
      '--context. Without a question, a terminal shows the conversation.',
    argument: ['[QUESTION...]', 'the question; "-" reads it from standard input'],
    options: [
      ['--agent <AGENT>', 'the agent that is asked; without it, your default agent'],
      ...common,
      ['--format <FORMAT>', 'text, or a file with the JSON Schema of the answer'],
    ],
    examples: [
      'consult --agent gemini --context src/login.ts "Is this safe against timing attacks?"',
      'consult --agent claude --session SESSION "And what would you do instead?"',
      'consult --agent codex --format verdict.schema.json "Is this release ready?"',
    ],
    topics: ['conversations', 'agents'],
    run: async (words, options) => (await import('../converse.ts')).consultCommand(words, options),
  }),
];
