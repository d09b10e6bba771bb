// Lists the commands that install Conclave in other agents: `install` and `mcp`.
import { type CommandEntry, inspection } from './shared-options.ts';

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
