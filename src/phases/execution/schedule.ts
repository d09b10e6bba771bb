// Decides when each task runs, as a pure calculation.

/** The parts of a task that its order depends on. */
export interface ScheduledTask {
  readonly id: string;
  readonly depends_on: readonly string[];
  /** The files that it changes; null if unknown, so that it runs alone. */
  readonly files: readonly string[] | null;
}

/** Decides when each task runs. It is pure: the caller reports which tasks have ended. */
export interface Schedule {
  /** The tasks to begin now, which count as running from then on. */
  begin(): readonly string[];
  /**
   * Reports that a task has ended. If its dependants cannot build on it, returns all of them, direct or not,
   * each with the task that blocks it; they count as ended, too.
   */
  end(id: string, isUsable: boolean): readonly { readonly task: string; readonly by: string }[];
  /** True when every task has ended or is blocked. */
  readonly isOver: boolean;
}

/**
 * Schedules tasks so that each begins after the tasks it depends on, with at most `jobs` at once and never two
 * that change the same file; among the tasks that could begin, the first in the given order does. The ids are
 * unique, every dependency is one of them, and there is no cycle, as the plan check ensures.
 */
export function schedule(tasks: readonly ScheduledTask[], jobs: number): Schedule {
  const waiting = new Set(tasks);
  const running = new Map<string, ScheduledTask>();
  const usable = new Set<string>();
  return {
    begin() {
      const begun = [...waiting].filter((task) => {
        const isReady =
          running.size < jobs &&
          task.depends_on.every((need) => usable.has(need)) &&
          ![...running.values()].some((other) => clash(task, other));
        if (isReady) running.set(task.id, task);
        return isReady;
      });
      for (const task of begun) waiting.delete(task);
      return begun.map(({ id }) => id);
    },
    end(id, isUsable) {
      running.delete(id);
      if (isUsable) usable.add(id);
      const blocked: { task: string; by: string }[] = [];
      const causes = isUsable ? [] : [id];
      for (const by of causes) {
        for (const task of waiting) {
          if (!task.depends_on.includes(by)) continue;
          waiting.delete(task);
          blocked.push({ task: task.id, by });
          causes.push(task.id);
        }
      }
      return blocked;
    },
    get isOver() {
      return waiting.size + running.size === 0;
    },
  };
}

function clash({ files: own }: ScheduledTask, { files: other }: ScheduledTask): boolean {
  return own === null || other === null || own.some((path) => other.includes(path));
}
