import { defaultChain, defaultLeaves, defaultSeats } from './settings/defaults.ts';
import { keyOf } from './settings/leaf.ts';

/**
 * A settings file in which every setting is commented out, with the defaults as examples. The
 * tables are not, so that each line holds for itself when its mark is taken away.
 */
export function configTemplate(): string {
  const [first = '', second = ''] = defaultSeats;
  return `# The settings of conclave. Remove a "# " to change one; times are in seconds.
# A later source wins: this file, a project's conclave.toml, CONCLAVE_* variables, flags.

# The agent that writes the plan, and its model, which counts only with cli.
[agent]
# cli = "${first}"
# model = "NAME"

[agents.${second}]
# enabled = true
# model = "NAME"
# path = "/path/to/the/program"
# args = []
# timeout = 900
# env = { NAME = "value" }

[workflow]
# tools = ${JSON.stringify(defaultSeats)}
# fallback_chain = ${JSON.stringify(defaultChain)}
# constraints = ["No new dependency"]
${sectionOf('workflow')}

[context]
${sectionOf('context')}
# A server of the Model Context Protocol on stdio that helps to find code. In place of tool
# and arguments it may name a preset: "ace", "augment" or "claude-context".
# mcp = { command = "/path/to/the/server", args = [], env = { NAME = "value" }, tool = "search", arguments = { query = "{query}", path = "{root}" }, timeout = 30, max_bytes = 8000000 }

# A JSON Schema that plan or task files must fulfil in addition to ours.
[schemas]
# plan = "plan.extension.json"
`;
}

function sectionOf(section: string): string {
  return defaultLeaves
    .filter((leaf) => leaf.path[0] === section)
    .map(({ path, value }) => `# ${keyOf(path.slice(1))} = ${JSON.stringify(value)}`)
    .join('\n');
}
