// Lists the settings of the MCP server.
import { type ShapeParts, setting } from './setting.ts';

const onOff = ({ z }: ShapeParts) => z.boolean();

/** Settings of the MCP server: what it may do where no person can be asked. */
export interface McpSettings {
  readonly mayDecide: boolean;
  readonly mayExecute: boolean;
  readonly mayWrite: boolean;
  /** For the jobs of a project on a day; without one there is no limit. */
  readonly budgetTokens: number | undefined;
}

/** The part of the table of settings that says what "conclave mcp" may do without a person. */
export const mcpSettings = {
  mcpMayDecide: setting('mcp.may_decide', {
    about: 'an agent that uses the MCP server may choose an option and approve a plan by itself',
    shape: onOff,
    default: false,
  }),
  mcpMayExecute: setting('mcp.may_execute', {
    about: 'it may have an approved plan carried out by itself',
    shape: onOff,
    default: false,
  }),
  mcpMayWrite: setting('mcp.may_write', {
    about: 'it may let other agents edit files and run commands by itself',
    shape: onOff,
    default: false,
  }),
  mcpBudgetTokens: setting('mcp.budget_tokens', {
    about: 'tokens, in and out, that its jobs may use in a project on a day',
    shape: ({ z }: ShapeParts) => z.number().positive(),
    untrusted: 'at-most',
  }),
};
