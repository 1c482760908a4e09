import type { Log } from '../../logging/log.ts'

export type PausableQueue = {
  name: string
  /** Whether its jobs must wait for disk space. They stay unchanged: none starts, and none counts as tried. */
  waits?: () => Promise<boolean>
}

type Deps<Queue> = {
  /** Starts workers on the queue. */
  begin: (queue: Queue) => Promise<void>
  /** Stops them; resolves once their current jobs have ended. */
  end: (queue: Queue) => Promise<void>
  log: Log
}

/** Tracks which queues are paused for lack of disk space, and stops and restarts their workers. */
export function pausedQueues<Queue extends PausableQueue>({ begin, end, log }: Deps<Queue>) {
  const held = new Set<string>()
  /** Queues whose last workers still run a job. */
  const ending = new Map<string, Promise<void>>()

  const hold = (queue: Queue) => {
    held.add(queue.name)
    const ended = end(queue)
      .catch((error) => log.error({ err: error, queue: queue.name }, 'failed to pause a queue'))
      .finally(() => ending.delete(queue.name))
    ending.set(queue.name, ended)
  }

  return {
    isHeld: (name: string): boolean => held.has(name),
    names: (): string[] => [...held],

    /** Resolves once the jobs that ran on paused queues have ended. */
    ended: async (): Promise<void> => void (await Promise.all(ending.values())),

    /** Checks each queue, and pauses or resumes it. @param works whether this process has workers */
    async look(queues: Queue[], works: boolean): Promise<void> {
      const [before, after]: [string[], string[]] = [[], []]
      for (const queue of queues) {
        const waits = (await queue.waits?.()) ?? false
        if (waits === held.has(queue.name)) continue
        // New workers start only once the previous ones have ended.
        if (!waits && ending.has(queue.name)) continue
        if (waits) {
          hold(queue)
          before.push(queue.name)
        } else {
          held.delete(queue.name)
          after.push(queue.name)
          if (works) await begin(queue)
        }
      }
      if (before.length > 0) log.warn({ queues: before }, 'paused jobs because a disk is nearly full')
      if (after.length > 0) log.info({ queues: after }, 'resumed jobs that waited for disk space')
    },
  }
}
