import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import { logOnce } from '../../../platform/live/log-once.ts'

export const BOARD_TOPIC = 'board'
/** Stands for every board. */
const ANY = '*'

/** Writes within this time are published together, in one row. */
const collectMs = 150
/** More boards than this in one row, and it says that any may have been written to. */
const boardsAtMost = 200

type Deps = {
  /** Distinguishes this process's messages from those of others. */
  processId: string
  changes: Pick<ChangeFeed, 'listen'>
  /** Publishes to every process. */
  publish: (subjects: string[]) => Promise<void>
  /** Another process wrote to a board. */
  wroteElsewhere: (appId: string, typeKey: string) => void
  /** Another process wrote to too many boards to list them. */
  wroteAny: () => void
  onError: (error: unknown) => void
}

/**
 * Tells the other processes which boards this one writes to, so that they show it to those who listen there: some times a
 * second and apart from the transactions of the scores, which it neither slows nor fails. What is lost so is seen a
 * second later, for boards that somebody listens to are read again anyway.
 */
export function boardChangePublisher({ processId, changes, publish, wroteElsewhere, wroteAny, onError }: Deps) {
  const { failed, worked } = logOnce(onError)
  let written = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function flush(): Promise<void> {
    const boards = written.size > boardsAtMost ? [ANY] : [...written]
    written = new Set()
    await publish([processId, ...boards]).then(worked, failed)
    timer = undefined
    if (written.size > 0) flushSoon()
  }

  function flushSoon(): void {
    if (!isStopped) timer ??= setTimeout(flush, collectMs).unref()
  }

  const end = changes.listen(
    BOARD_TOPIC,
    ([from, ...boards]) => {
      if (from === processId) return
      for (const board of boards) {
        const [appId, typeKey] = board.split(' ')
        if (typeKey === undefined) wroteAny()
        else wroteElsewhere(appId!, typeKey)
      }
    },
    wroteAny,
  )

  return {
    /** This process wrote to a board. */
    wrote(appId: string, typeKey: string): void {
      written.add(`${appId} ${typeKey}`)
      flushSoon()
    },

    /** Stops publishing and listening. */
    stop(): void {
      isStopped = true
      clearTimeout(timer)
      end()
    },
  }
}
