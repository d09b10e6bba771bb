// Says which tasks run when, as a pure calculation.

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
  /** True when every task has ended or is blocked. */
  readonly isOver: boolean;
}

/**
 * An order in which each task begins after what it depends on, at most `jobs` at once, and none
 * beside another that changes the same file; of those that could begin, the first as given. The ids
 * are unique, every dependency is one of them, and there is no cycle: the plan check holds that.
 */
export function schedule(tasks: readonly ScheduledTask[], jobs: number): Schedule {
  const waiting = new Set(tasks);
  const running = new Map<string, ScheduledTask>();
  const usable = new Set<string>();
  return {
    begin() {
      const begun: string[] = [];
      for (const task of waiting) {
        if (running.size >= jobs) break;
        const isReady = task.depends_on.every((need) => usable.has(need));
        if (!isReady || [...running.values()].some((other) => clash(task, other))) continue;
        waiting.delete(task);
        running.set(task.id, task);
        begun.push(task.id);
      }
      return begun;
    },
    end(id, isUsable) {
      running.delete(id);
      if (isUsable) usable.add(id);
      return isUsable ? [] : blockedBy(id);
    },
    get isOver() {
      return waiting.size === 0 && running.size === 0;
    },
  };

  function blockedBy(failed: string) {
    const blocked: { task: string; by: string }[] = [];
    const causes = [failed];
    for (const by of causes) {
      for (const task of waiting) {
        if (!task.depends_on.includes(by)) continue;
        waiting.delete(task);
        blocked.push({ task: task.id, by });
        causes.push(task.id);
      }
    }
    return blocked;
  }
}

function clash({ files: own }: ScheduledTask, { files: other }: ScheduledTask): boolean {
  return own === null || other === null || own.some((path) => other.includes(path));
}
