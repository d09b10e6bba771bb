/** What holds where nobody says otherwise, in the words of the configuration. Times in seconds. */
export const defaultValues = {
  workflow: {
    mode: 'parallel',
    max_rounds: 3,
    require_convergence: false,
    auto_yes: false,
    timeout: 900,
    first_output_timeout: 120,
    idle_timeout: 300,
    kill_grace: 5,
  },
  context: {
    providers: ['mcp', 'local', 'ripgrep', 'scan'],
    max_files: 12,
    timeout: 15,
    rerank: 'off',
  },
} as const;
