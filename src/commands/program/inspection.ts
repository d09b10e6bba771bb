import type { Command } from 'commander';
import { type Finish, type RawOptions, commandIn, commonOptions, examples } from './options.ts';

/** The commands that look at something and run no session. */
export function addInspection(program: Command, finish: Finish): void {
  commandIn(program, 'context')
    .summary('show the code that a task is about')
    .description(
      'Searches like phase 1 of a session. Prints the ranked files and the facts around them.',
    )
    .argument('<TASK...>', 'what you want done; "-" reads it from standard input')
    .option(
      '--paths',
      'print only the paths, best first, one per line, at most 50; names that cannot be printed on one line are left out',
    )
    .option('--budget <TOKENS>', 'print text for a prompt, of at most about this many tokens')
    .addHelpText(
      'after',
      examples(
        'context "Add rate limiting to login"',
        'context --paths - < task.md',
        'context --budget 4000 "login"',
      ),
    )
    .action(async (task: readonly string[], values: RawOptions) => {
      const { contextCommand } = await import('../context.ts');
      const { paths, budget } = values;
      const printed = { paths: paths === true, budget: budget ?? null };
      finish(await contextCommand(task, { ...(await commonOptions(values)), ...printed }));
    });
  commandIn(program, 'validate')
    .summary('check the plan files of a session')
    .description('Checks plan.json and .task/*.json; ends with 6 if something blocks the plan.')
    .argument('[SESSION|DIR]', 'a session or its folder; without one, the latest session')
    .addHelpText('after', examples('validate', 'validate --json SESSION'))
    .action(async (target: string | undefined, values: RawOptions) => {
      const { validateCommand } = await import('../validate.ts');
      finish(await validateCommand(target, await commonOptions(values)));
    });
  commandIn(program, 'agents')
    .summary('list the agents and whether they are ready')
    .description('Lists the agents that can take part, and what is missing if one is not ready.')
    .addHelpText('after', examples('agents', 'agents --json'))
    .action(async (values: RawOptions) => {
      const { agentsCommand } = await import('../agents.ts');
      finish(await agentsCommand(await commonOptions(values)));
    });
  commandIn(program, 'doctor')
    .summary('check this machine for what is missing')
    .description('Checks Node, git, ripgrep and every agent, and says how to fix what is missing.')
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action(async (values: RawOptions) => {
      const { doctorCommand } = await import('../doctor.ts');
      finish(await doctorCommand(await commonOptions(values)));
    });
  addConfig(program, finish);
  program
    .command('schema')
    .summary('print the JSON Schema of a file')
    .description('Prints the published JSON Schema of a file; without a name, lists the names.')
    .argument('[NAME]', 'e.g. plan, task, synthesis, event, config')
    .addHelpText('after', examples('schema plan', 'schema config > config.schema.json'))
    .action(async (name: string | undefined) => {
      const { schemaCommand } = await import('../validate.ts');
      finish(await schemaCommand(name));
    });
  addCompletion(program, finish);
}

function addCompletion(program: Command, finish: Finish): void {
  program
    .command('completion')
    .summary('print the completion script of a shell')
    .description('Prints a script with which your shell completes commands, flags and sessions.')
    .argument('<SHELL>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      examples(
        'completion bash > ~/.local/share/bash-completion/completions/conclave',
        'completion zsh > ~/.zfunc/_conclave',
        'completion fish > ~/.config/fish/completions/conclave.fish',
      ),
    )
    .action(async (shell: string) => {
      const { completionCommand } = await import('../completion.ts');
      finish(completionCommand(shell, program));
    });
}

function addConfig(program: Command, finish: Finish): void {
  const group = program
    .command('config')
    .summary('show the settings, or trust those of a project')
    .description('The settings and where each comes from. Without a command: show.')
    .usage('[show|path|init|trust|untrust] [OPTIONS]')
    .helpCommand(false)
    .addHelpText('after', examples('config', 'config path', 'config init', 'config trust'));
  for (const [name, description] of configCommands) {
    const command = commandIn(group, name)
      .description(description)
      .addHelpText('after', examples(`config ${name}`, `config ${name} --json`));
    if (name === 'trust') command.option('--yes', 'do not ask');
    command.action(async (values: RawOptions) => {
      const { commands } = await import('../config.ts');
      finish(await commands[name]({ ...(await commonOptions(values)), yes: values.yes === true }));
    });
  }
}

const configCommands = [
  ['show', 'Shows every setting with its source.'],
  ['path', 'Shows which files are read; later ones win.'],
  ['init', 'Writes a commented settings file, unless you have one.'],
  [
    'trust',
    'Lets the conclave.toml of this project, as it is now, set anything. Shows first what it sets.',
  ],
  ['untrust', 'Stops trusting the conclave.toml of this project.'],
] as const;
