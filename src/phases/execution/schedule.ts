/** A task as the order of an execution sees it. */
export interface ScheduledTask {
  readonly id: string;
  readonly depends_on: readonly string[];
  /** The files that it changes; null where that is not known, so that it runs alone. */
  readonly files: readonly string[] | null;
}

/** Which tasks run when. Pure: whoever runs them tells it what has ended. */
export interface Schedule {
  /** The tasks to begin now, which count as running from here on. */
  begin(): readonly string[];
  /**
   * A task has ended. Where its dependants cannot build on it, returns all of them, direct or not,
   * each with the task that it waits for; they are over with that.
   */
  end(id: string, isUsable: boolean): readonly { readonly task: string; readonly by: string }[];
  /** Whether every task has ended or is blocked. */
  readonly isOver: boolean;
}

/**
 * An order in which each task begins after what it depends on, at most `jobs` at once, and none
 * beside another that changes the same file; of those that could begin, the first as given. The ids
 * are unique, every dependency is one of them, and there is no cycle: the plan check holds that.
 */
export function schedule(tasks: readonly ScheduledTask[], jobs: number): Schedule {
  const byId = new Map(tasks.map((task, place) => [task.id, { ...task, place }]));
  const waits = new Map(tasks.map(({ id, depends_on: needs }) => [id, new Set(needs).size]));
  const dependants = dependantsOf(tasks);
  const ready = new SortedPlaces(
    tasks.flatMap((task, at) => (waits.get(task.id) === 0 ? [at] : [])),
  );
  const running = new Set<string>();
  const over = new Set<string>();
  const inUse = new Set<string>();
  let runsAlone = false;

  const fits = ({ files }: ScheduledTask) =>
    files === null ? running.size === 0 : !files.some((path) => inUse.has(path));

  return {
    begin() {
      const begun: string[] = [];
      for (const place of ready.all()) {
        if (runsAlone || running.size >= jobs) break;
        const task = tasks[place];
        if (task === undefined || !fits(task)) continue;
        ready.take(place);
        running.add(task.id);
        runsAlone = task.files === null;
        for (const path of task.files ?? []) inUse.add(path);
        begun.push(task.id);
      }
      return begun;
    },
    end(id, isUsable) {
      const task = byId.get(id);
      if (task === undefined || !running.delete(id)) throw new Error(`${id} was not running`);
      for (const path of task.files ?? []) inUse.delete(path);
      if (task.files === null) runsAlone = false;
      over.add(id);
      if (!isUsable) return blockedBy(id);
      for (const dependant of dependants.get(id) ?? []) {
        const left = (waits.get(dependant) ?? 0) - 1;
        waits.set(dependant, left);
        const place = byId.get(dependant)?.place;
        if (left === 0 && place !== undefined && !over.has(dependant)) ready.add(place);
      }
      return [];
    },
    get isOver() {
      return over.size === tasks.length;
    },
  };

  function blockedBy(failed: string): { task: string; by: string }[] {
    const blocked: { task: string; by: string }[] = [];
    const causes = [failed];
    for (const by of causes) {
      for (const task of dependants.get(by) ?? []) {
        if (over.has(task)) continue;
        over.add(task);
        blocked.push({ task, by });
        causes.push(task);
      }
    }
    return blocked;
  }
}

function dependantsOf(tasks: readonly ScheduledTask[]): ReadonlyMap<string, readonly string[]> {
  const dependants = new Map<string, string[]>();
  for (const { id, depends_on: needs } of tasks) {
    for (const need of new Set(needs)) {
      const known = dependants.get(need);
      if (known === undefined) dependants.set(need, [id]);
      else known.push(id);
    }
  }
  return dependants;
}

/** Places in ascending order. */
class SortedPlaces {
  readonly #places: number[];

  constructor(places: number[]) {
    this.#places = places;
  }

  all(): readonly number[] {
    return [...this.#places];
  }

  add(place: number): void {
    const at = this.#places.findIndex((other) => other > place);
    this.#places.splice(at === -1 ? this.#places.length : at, 0, place);
  }

  take(place: number): void {
    this.#places.splice(this.#places.indexOf(place), 1);
  }
}
