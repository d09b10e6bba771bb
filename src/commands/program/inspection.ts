// Lists the commands that run no session: `sessions …`, `context`, `validate`, `config …`, `mcp`, ….
import { type CommandEntry, inspection, workingFolderOption } from './shared-options.ts';

const sessions = () => import('../sessions-command.ts');

/** The commands that run no session. */
export const inspectionCommands: readonly CommandEntry[] = [
  {
    name: 'sessions',
    summary: 'list, show, search, cost, fork, export, trust, repair or remove saved sessions',
    about: 'The sessions that are saved in this repository. Without a command: list.',
    examples: ['sessions', 'sessions show SESSION', 'sessions fork SESSION', 'sessions rm SESSION'],
    topics: ['sessions', 'files'],
    commands: [
      inspection({
        name: 'list',
        about: 'Lists the saved sessions and conversations, the latest first.',
        options: [['--machine <NAME>', 'those on a machine']],
        examples: ['sessions list', 'sessions list --json'],
        run: async (_, options) => (await import('../sessions-list.ts')).listCommand(options),
      }),
      inspection({
        name: 'show',
        about:
          'Shows the state of a session, its rounds and its files; of a conversation its turns.',
        argument: ['[SESSION]', 'its id; without it, the latest session'],
        options: [['--anchors', 'list the lines of plan and result that a comment can name']],
        examples: ['sessions show', 'sessions show SESSION --json'],
        run: async ([id], options) =>
          (await import('../sessions-show.ts')).showCommand(id, options),
      }),
      inspection({
        name: 'search',
        about:
          'Searches what was said in conversations, and the tasks, decisions and plans of sessions, for all of the words.',
        argument: ['<WORDS...>', 'words that must all occur, spelled like this'],
        examples: ['sessions search login timeout', 'sessions search --json cache'],
        run: async (words, options) =>
          (await import('../conversation-lines.ts')).searchCommand(words, options),
      }),
      inspection({
        name: 'cost',
        about: 'Shows what the sessions here used: by session, agent, phase and day.',
        argument: ['[SESSION]', 'its id; without it, all sessions'],
        examples: ['sessions cost', 'sessions cost SESSION --json'],
        run: async ([id], options) =>
          (await import('../sessions-cost.ts')).costCommand(id, options),
      }),
      inspection({
        name: 'fork',
        about: 'Copies a session up to a decision, so that you can decide differently.',
        argument: ['<SESSION>', 'its id'],
        options: [['--at <DECISION>', 'the decision to copy up to; without it, the last one']],
        examples: ['sessions fork SESSION', 'sessions fork SESSION --at decision-1'],
        run: async ([id = ''], options) => (await sessions()).fork(id, options),
      }),
      inspection({
        name: 'trust',
        about:
          'Adopts a session that is not known to be yours, as it is now. Shows first what it would run.',
        argument: ['<SESSION>', 'its id'],
        options: [['-y', 'do not ask']],
        examples: ['sessions trust SESSION', 'sessions trust SESSION -y'],
        run: async ([id = ''], options) => (await sessions()).trust(id, options),
      }),
      inspection({
        name: 'repair',
        about:
          'Ends the journal of a session before its first damaged line, so that you can go on with it. Lists what is done again, and keeps a copy.',
        argument: ['<SESSION>', 'its id'],
        examples: ['sessions repair SESSION', 'sessions repair SESSION --json'],
        run: async ([id = ''], options) => (await sessions()).repair(id, options),
      }),
      inspection({
        name: 'export',
        about:
          'Exports the plan of a session: as Markdown, as JSON, or as one GitHub issue for each task; ' +
          'of a conversation its turns, as Markdown or JSON. If gh is logged in, it opens the issues after ' +
          'asking you; otherwise it writes their texts and prints what to type.',
        argument: ['[SESSION]', 'its id; without it, the latest session with a plan'],
        options: [
          ['--format <HOW>', 'md, json or github-issues; without it, md'],
          ['--dry-run', 'with github-issues: open nothing'],
          ['-y', 'do not ask'],
        ],
        examples: [
          'sessions export SESSION > plan.md',
          'sessions export SESSION --format json > plan.json',
          'sessions export SESSION --format github-issues --dry-run',
        ],
        run: async ([id], options) =>
          (await import('../export-command.ts')).exportCommand(id, options),
      }),
      inspection({
        name: 'rm',
        about:
          'Removes sessions with all their files, after asking you. Where there is no terminal to ask in, it takes whole ids, or parts with -y.',
        argument: ['<SESSION...>', 'one or more ids'],
        options: [['-y', 'do not ask']],
        examples: ['sessions rm SESSION', 'sessions rm -y SESSION SESSION'],
        run: async (ids, options) => (await sessions()).remove(ids, options),
      }),
    ],
  },
  inspection({
    name: 'context',
    summary: 'show the code that a task is about',
    about: 'Searches like phase 1 of a session. Prints the ranked files and the facts around them.',
    argument: ['<TASK...>', 'what you want done; "-" reads it from standard input'],
    options: [
      [
        '--format <HOW>',
        '"paths" prints only the paths, best first, one per line, at most 50; names that cannot be printed on one line are left out',
      ],
    ],
    examples: ['context "Add rate limiting to login"', 'context --format paths - < task.md'],
    topics: ['context'],
    run: async (task, options) =>
      (await import('../context-command.ts')).contextCommand(task, options),
  }),
  inspection({
    name: 'validate',
    summary: 'check the plan files of a session',
    about: 'Checks plan.json and .task/*.json; ends with 6 if something blocks the plan.',
    argument: [
      '[SESSION|DIR]',
      'a session or its folder; without one, the latest session with a plan',
    ],
    examples: ['validate', 'validate --json SESSION'],
    topics: ['review', 'files'],
    run: async ([target], options) =>
      (await import('../validate-command.ts')).validateCommand(target, options),
  }),
  inspection({
    name: 'report',
    summary: 'write a report of a session as one HTML file',
    about:
      'Writes what a session did, from the options to the checks of each task, as one HTML file ' +
      'without scripts, to attach to a pull request. Prints where it is.',
    argument: ['[SESSION]', 'its id; without it, the latest session'],
    examples: ['report', 'report SESSION --json'],
    topics: ['sessions'],
    run: async ([id], options) => (await import('../export-command.ts')).reportCommand(id, options),
  }),
  inspection({
    name: 'pr',
    summary: 'push the branch of a session and open a pull request',
    about:
      'Pushes the branch with the result to where git pushes the branch you are on, else to origin, ' +
      'and opens a pull request for it with gh. Its text comes from the plan, the checks and the code ' +
      'review. If gh is not logged in, it prints what to type. A result that nobody reviewed, that is unproven, ' +
      'broken or blocked becomes a draft, and its text says why.',
    argument: ['[SESSION]', 'its id; without it, the latest session with a result'],
    options: [
      ['--ready', 'make it ready for review all the same; its text still says what is open'],
      ['--dry-run', 'print the text and the commands, and push nothing'],
    ],
    examples: ['pr --dry-run', 'pr SESSION', 'pr --ready'],
    topics: ['execution'],
    run: async ([id], options) =>
      (await import('../pr-command.ts')).pullRequestCommand(id, options),
  }),
  inspection({
    name: 'agents',
    summary: 'list the agents and whether they are ready',
    about: 'Lists the agents that can take part, and what is missing if one is not ready.',
    argument: [
      '[NAME]',
      'only this agent, with how it is called for each permission, and what that does not enforce',
    ],
    examples: ['agents', 'agents --json', 'agents claude'],
    topics: ['agents', 'models', 'own-agents', 'trust'],
    run: async ([name], options) =>
      (await import('../agents-command.ts')).agentsCommand(name, options),
  }),
  {
    name: 'login',
    summary: 'log an agent in',
    about: 'Runs the login of an agent’s own program in this terminal.',
    argument: ['<AGENT>', 'e.g. claude'],
    options: [workingFolderOption],
    examples: ['login claude', 'login codex'],
    topics: ['agents', 'models'],
    run: async ([name = ''], { cwd }) =>
      (await import('../agents-command.ts')).loginCommand(name, cwd),
  },
  inspection({
    name: 'doctor',
    summary: 'check this machine for what is missing',
    about: 'Checks Node, git, ripgrep and every agent, and says how to fix what is missing.',
    options: [
      [
        '--probe',
        'make a tiny paid call to each ready agent, and a second where it can resume; ends with 3 if none answers',
      ],
      ['-y', 'do not ask before these calls'],
    ],
    examples: ['doctor', 'doctor --json', 'doctor --probe'],
    topics: ['agents', 'models'],
    run: async (_, options) => (await import('../doctor-command.ts')).doctorCommand(options),
  }),
  inspection({
    name: 'machines',
    summary: 'list the machines on which agents run',
    about:
      'Asks each machine of your configuration for its version and its agents. Prompts and code go there only once you have allowed it.',
    argument: [
      '[WORD...]',
      '"allow NAME" lets prompts and code of your projects go to that machine',
    ],
    examples: ['machines', 'machines allow build-1'],
    topics: ['machines'],
    run: async (words, options) =>
      (await import('../machines-command.ts')).machinesCommand(words, options),
  }),
  {
    name: 'worker',
    summary: 'run agents on this machine for another one',
    about:
      'Speaks with the Conclave that started it, e.g. by ssh, until its standard input ends: takes commits, runs agents on them, and sends back what they did.',
    options: [['--queue', 'pull runs from the queue on Postgres until it is stopped']],
    examples: ['worker', 'worker --queue'],
    topics: ['machines'],
    run: async (_, { queue }) =>
      (await import('../worker-command.ts')).workerCommand(process.env, { queue: queue === true }),
  },
  inspection({
    name: 'answer',
    summary: 'answer a question of a session that runs in another terminal',
    about:
      'Answers the question that a session is waiting for, from another terminal. Without an answer, shows the question and its id.',
    argument: ['<SESSION...>', 'its id, the id of the question, and the answer'],
    examples: [
      'answer SESSION',
      'answer SESSION 4f0a1c 1',
      'answer SESSION 4f0a1c comment Use a flag.',
    ],
    topics: ['sessions'],
    run: async (words, options) =>
      (await import('../answer-command.ts')).answerCommand(words, options),
  }),
  {
    name: 'config',
    summary: 'show the settings, or trust those of a project',
    about: 'The settings and where each comes from. Without a command: show.',
    examples: ['config', 'config set workflow.max_rounds 2', 'config init', 'config trust'],
    topics: ['settings', 'trust'],
    commands: [
      configCommand('show', 'Shows every setting with its source.'),
      configCommand('init', 'Writes a commented settings file, unless you have one.'),
      inspection({
        name: 'set',
        about:
          'Sets settings in your own settings file, and keeps its comments. Says what is wrong with a key or a value, and writes nothing then.',
        argument: ['<KEY> <VALUE...>', 'e.g. agents.claude.model opus; more may follow'],
        examples: [
          'config set workflow.max_rounds 2',
          'config set workflow.tools claude,codex',
          `config set execution.setup '["npm", "ci"]'`,
        ],
        run: async (words, options) =>
          (await import('../config-command.ts')).commands.set(options, words),
      }),
      inspection({
        name: 'unset',
        about: 'Takes settings out of your own settings file, so that their defaults apply again.',
        argument: ['<KEY...>', 'e.g. workflow.max_rounds'],
        examples: ['config unset workflow.max_rounds'],
        run: async (keys, options) =>
          (await import('../config-command.ts')).commands.unset(options, keys),
      }),
      configCommand(
        'trust',
        'Lets the conclave.toml of this project, as it is now, set anything. Shows first what it sets.',
      ),
      configCommand('untrust', 'Stops trusting the conclave.toml of this project.'),
    ],
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a file',
    about: 'Prints the published JSON Schema of a file; without a name, lists the names.',
    argument: ['[NAME]', 'e.g. plan, task, synthesis, event, config'],
    examples: ['schema plan', 'schema config > config.schema.json'],
    topics: ['files', 'json'],
    run: async ([name]) => (await import('../schema-command.ts')).schemaCommand(name),
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    about: 'Prints a script with which your shell completes commands, flags and sessions.',
    argument: ['<SHELL>', 'bash, zsh or fish'],
    takesMore: true,
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/conclave',
      'completion zsh > ~/.zfunc/_conclave',
      'completion fish > ~/.config/fish/completions/conclave.fish',
    ],
    run: async (words, _, program) =>
      (await import('../completion-command.ts')).completionCommand(words, program),
  },
  {
    name: 'help',
    summary: 'read about a topic; without one, list the topics',
    about:
      'Prints a page of the help: fitted to a terminal, as Markdown elsewhere. For a command that ' +
      'is no topic, shows its flags.',
    argument: ['[TOPIC]', 'e.g. settings; without it, the topics are listed'],
    takesMore: true,
    examples: ['help', 'help settings', 'help exit-codes'],
    run: async (words, _, program) =>
      (await import('../help-command.ts')).helpCommand(words, program),
  },
];

function configCommand(name: 'show' | 'init' | 'trust' | 'untrust', about: string): CommandEntry {
  return inspection({
    name,
    about,
    options: name === 'init' || name === 'trust' ? [['-y', 'do not ask']] : [],
    examples: [`config ${name}`, `config ${name} --json`],
    run: async (_, options) => (await import('../config-command.ts')).commands[name](options),
  });
}

/** The commands that serve hosts. */
export const hostCommands: readonly CommandEntry[] = [
  inspection({
    name: 'install',
    summary: 'install Conclave as a package of another agent',
    about:
      'Installs the MCP server, a skill, the commands plan and critique, and the check of a plan, by the ' +
      'host’s own commands: in claude, codex, gemini, copilot or opencode. Shows first what it runs, and ' +
      'looks in the host’s list afterwards.',
    argument: ['<HOST>', 'e.g. claude'],
    options: [
      ['--remove', 'remove it again'],
      ['--print', 'print what would be done, and do nothing'],
      ['--scope <SCOPE>', 'user, or project (claude, opencode); without it, user'],
      ['-y', 'do not ask'],
    ],
    examples: ['install claude', 'install codex --remove'],
    topics: ['mcp', 'critique'],
    run: async ([name = ''], options) =>
      (await import('../install-command.ts')).installCommand(name, options),
  }),
  {
    name: 'mcp',
    summary: 'serve Conclave to other agents, by the Model Context Protocol',
    about:
      'Serves on stdin and stdout: other agents can plan with several agents, let one work, or ask one. ' +
      'What a person decides is asked in the host. Without a command: serve.',
    examples: ['mcp', 'mcp install claude', 'mcp install claude --remove'],
    topics: ['mcp'],
    commands: [
      {
        name: 'serve',
        about: 'Serves until the host closes our standard input.',
        takesMore: true,
        examples: ['mcp serve'],
        run: async (words) => (await import('../mcp-command.ts')).mcpCommand(words),
      },
      inspection({
        name: 'install',
        about:
          'Puts the server into the settings file of a host, and nothing else: claude, codex, gemini, ' +
          'copilot or opencode. Shows the change first.',
        argument: ['<HOST>', 'e.g. claude'],
        options: [
          ['--remove', 'take out what this command put in, byte for byte'],
          ['--print', 'print what goes into which file, and change nothing'],
          ['--scope <SCOPE>', 'user or project; without it, user'],
          ['-y', 'do not ask'],
        ],
        examples: ['mcp install codex', 'mcp install codex --remove -y'],
        run: async ([name = ''], options) =>
          (await import('../mcp-install.ts')).mcpInstallCommand(name, options),
      }),
    ],
  },
];
