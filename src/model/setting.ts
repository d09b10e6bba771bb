// Defines one entry of the table of settings, and the tables of the settings file.
import type { z } from 'zod';

/** A model name as CLIs take it; keeps flags, spaces and control characters out. */
export const modelNamePattern = /^[A-Za-z0-9._/:@][A-Za-z0-9._/:@[\]-]*$/;

/** The parts that build a shape. They are handed in, as flags are declared without loading zod. */
export interface ShapeParts {
  readonly z: typeof z;
  readonly modelName: z.ZodType<string>;
}

/** One setting: everything that files, variables, flags, help and documents say of it. */
export interface Setting<T = unknown> {
  /** As TOML spells it; `*` stands for a name that the user gives. */
  readonly path: string;
  /** For people: in the help of the flag, the settings file, the schema and `conclave help settings`. */
  readonly about: string;
  readonly shape: (shapes: ShapeParts) => z.ZodType<T>;
  readonly default?: NoInfer<T>;
  /** Shown in the settings file of `config init` where there is no default. */
  readonly example?: unknown;
  /** Another name that its key may have in a file. */
  readonly alias?: string;
  readonly variable?: string;
  /** As commander takes it. One of a `*` takes NAME=VALUE. */
  readonly flag?: string;
  /** The commands that take its flag; without this, `plan`, and `resume` with it. */
  readonly takenBy?: readonly FlagCommand[];
  /** The part of it that counts in a project’s file that nobody trusted; without this, nothing does. */
  readonly untrusted?: Untrusted;
  /** Its values are names of agents, or only of agents that use a model. */
  readonly names?: 'agents' | 'models';
  /** A relative path starts at the folder of its file. */
  readonly holds?: 'program' | 'arguments' | 'file';
  /** The lists of all sources count together; one value a line in a variable. */
  readonly addsUp?: true;
  readonly isSecret?: true;
  /** Written in seconds, and read in ms. */
  readonly isTime?: true;
  /** A session keeps it from its start on; `by-flag` only where a flag says it. */
  readonly ofSession?: 'always' | 'by-flag';
}

/** A command that takes flags of settings. */
export type FlagCommand = 'plan' | 'critique' | 'execute';

export type SettingWithDefault<T> = Setting<T> & { readonly default: NoInfer<T> };

/** Settings by the names that the program has for them. */
export type SettingsPart = Readonly<Record<string, Setting>>;

/** The values of a part of the table; undefined for what nobody set and has no default. */
export type ValuesOf<P extends SettingsPart> = {
  readonly [K in keyof P]: P[K] extends SettingWithDefault<infer T>
    ? T
    : P[K] extends Setting<infer T>
      ? T | undefined
      : never;
};

/**
 * `any`: every value. `at-most`: no more than the user’s, and any number where the user sets no
 * limit. `among`: a list of which all is in the user’s. `only`: this value, or the user’s. `as-data`:
 * agents are told it as the project’s word, and it sets nothing.
 */
type Untrusted = 'any' | 'as-data' | 'at-most' | 'among' | { readonly only: unknown };

/** A table of the settings file. */
export interface TomlTable {
  readonly path: string;
  readonly about: string;
}

/** The tables of the settings file, in the order in which they are shown. */
export const tomlTables: readonly TomlTable[] = [
  { path: 'workflow', about: 'How a session runs.' },
  { path: 'agent', about: 'The agent that plans and executes by default.' },
  { path: 'agents.*', about: 'One agent, or a program of your own.' },
  { path: 'models.*', about: 'One model, by the name that its agent takes.' },
  {
    path: 'budget',
    about: 'What a session may use at most; it ends with 8 before more is spent.',
  },
  { path: 'execution', about: 'How a plan is carried out.' },
  { path: 'projects.*', about: 'One repository, by the path of its folder.' },
  { path: 'context', about: 'How code is searched for.' },
  {
    path: 'context.mcp',
    about: 'A server of the Model Context Protocol on stdio that helps to find code.',
  },
  { path: 'conversation', about: 'How "work" and "consult" run.' },
  { path: 'mcp', about: 'What "conclave mcp" may do without asking a person.' },
  { path: 'critique', about: 'How the plan of a host is judged.' },
  { path: 'phases.*', about: 'One phase.' },
  { path: 'schemas', about: 'JSON Schemas that plan or task files must fulfil besides ours.' },
];

type WithoutPath<S> = Omit<S, 'path'>;

export function setting<T>(
  path: string,
  rest: WithoutPath<SettingWithDefault<T>>,
): SettingWithDefault<T>;
export function setting<T>(path: string, rest: WithoutPath<Setting<T>>): Setting<T>;
/** Makes an entry of the table; the compiler checks its default against its shape. */
export function setting<T>(path: string, rest: WithoutPath<Setting<T>>): Setting<T> {
  return { path, ...rest };
}

/** The part of a path before its last name. */
export function tableOf({ path }: Pick<Setting, 'path'>): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** The last name of a path. */
export function keyIn({ path }: Pick<Setting, 'path'>): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** `--max-rounds`; empty for a setting without a flag. */
export function longFlag({ flag = '' }: Setting): string {
  return /--[a-z-]+/.exec(flag)?.[0] ?? '';
}
