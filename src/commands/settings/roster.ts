import { adapters } from '../../agents/list.ts';
import type { Config } from '../../model/config.ts';
import { analystNames, defaultChain, defaultSeats } from './defaults.ts';

/** Who can take part under a configuration. */
export interface Roster {
  /** Every name that a session may be given. */
  readonly known: readonly string[];
  /** Who sits where nobody chose. */
  readonly seats: readonly string[];
  /** Who stands in where nobody chose, best first, without the analysts. */
  readonly chain: readonly string[];
}

/**
 * Known are our adapters, configured programs and the built-in analysts. Programs of the user's
 * own are preferred to the default seats; a path for a known agent only moves it to the front.
 */
export function rosterOf(config: Config): Roster {
  const names = adapters.map((adapter) => adapter.name);
  const agents = Object.entries(config.agents ?? {});
  const withPath = agents
    .filter(([, settings]) => settings.path !== undefined)
    .map(([name]) => name);
  const programs = withPath.filter((name) => !analystNames.includes(name));
  const isOn = (name: string): boolean => config.agents?.[name]?.enabled !== false;

  const ready = programs.filter(isOn);
  const usual = defaultSeats.filter((name) => names.includes(name) && isOn(name));
  const own = ready.some((name) => !names.includes(name));
  const seats = [...new Set([...ready, ...(own ? [] : usual)])].slice(0, 2);
  const chain = [...defaultChain, ...names].filter((name) => names.includes(name));
  return {
    known: [...new Set([...names, ...programs, ...analystNames])],
    seats: seats.length > 0 ? seats : analystNames.filter(isOn),
    chain: [...new Set([...ready, ...chain])].filter(isOn),
  };
}

/** A list of agents with `local` replaced by the analysts it stands for, each name once. */
export function expanded(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === 'local' ? analystNames : [name])))];
}
