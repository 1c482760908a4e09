import type { Log } from '../../logging/log.ts'

export type PausableQueue = {
  name: string
  /** Whether its jobs wait just now, as there is no room for what they make. They stay as they are: none is begun, and none counts as tried. */
  waits?: () => Promise<boolean>
}

type Deps<Queue> = {
  /** Lets workers take jobs of the queue. */
  begin: (queue: Queue) => Promise<void>
  /** Lets them take no more; resolves once what they do has ended. */
  end: (queue: Queue) => Promise<void>
  log: Log
}

/** Which queues are held, as their jobs wait for room; and their workers, which come and go with it. */
export function pausedQueues<Queue extends PausableQueue>({ begin, end, log }: Deps<Queue>) {
  const held = new Set<string>()
  /** Queues whose last workers still do what they had begun. */
  const ending = new Map<string, Promise<void>>()

  const hold = (queue: Queue) => {
    held.add(queue.name)
    const ended = end(queue)
      .catch((error) => log.error({ err: error, queue: queue.name }, 'jobs'))
      .finally(() => ending.delete(queue.name))
    ending.set(queue.name, ended)
  }

  return {
    isHeld: (name: string): boolean => held.has(name),
    names: (): string[] => [...held],

    /** Resolves once what workers of held queues had begun has ended. */
    ended: async (): Promise<void> => void (await Promise.all(ending.values())),

    /** Looks at each queue, and has it held or gone on with. @param works whether this process has workers */
    async look(queues: Queue[], works: boolean): Promise<void> {
      const [before, after]: [string[], string[]] = [[], []]
      for (const queue of queues) {
        const waits = (await queue.waits?.()) ?? false
        if (waits === held.has(queue.name)) continue
        // Workers begin anew only once those before have ended.
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
      if (before.length > 0) log.warn({ queues: before }, 'jobs wait, because a disk is nearly full')
      if (after.length > 0) log.info({ queues: after }, 'jobs that waited for room on a disk go on')
    },
  }
}
