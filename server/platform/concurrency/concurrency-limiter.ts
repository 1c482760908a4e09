type Waiting = { weight: number; sender: string; begin: () => void; refuse: (error: Error) => void }

type Options = {
  /** Total weight of the tasks that run at a time. */
  maxConcurrent: number
  /** Tasks that wait. Beyond this, the last task of the sender with the most waiting is rejected with `full`. Default: no limit. */
  maxWaiting?: number
  full?: () => Error
  /**
   * While tasks wait, the slots of a task that has ended stay free for `ratio` times as long as it ran, and at most
   * `maxMs`, so that short tasks take a bounded share of the machine. Default: none.
   */
  rest?: { ratio: number; maxMs: number }
}

type Task = {
  /** Slots that the task takes, up to `maxConcurrent`. Default: 1. */
  weight?: number
  /** Senders take turns; tasks without a sender share one. */
  sender?: string
  /** An abort while the task waits rejects it with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/**
 * Runs a bounded number of tasks at a time, round-robin over senders: the next task is the one of the sender that had
 * none yet, or whose last task began longest ago. Tasks of one sender run first come, first served.
 * @returns runs a task when it is its turn, and settles as the task does
 */
export function createConcurrencyLimiter({
  maxConcurrent,
  maxWaiting = Number.POSITIVE_INFINITY,
  full = () => new Error('Too many tasks are waiting'),
  rest = { ratio: 0, maxMs: 0 },
}: Options) {
  const waiting: Waiting[] = []
  /** By sender, the sequence number of the task that began last; removed with the sender's last task. */
  const lastBegun = new Map<string, number>()
  const running = new Map<string, number>()
  let sequence = 0
  let free = maxConcurrent

  const lastOf = ({ sender }: Waiting) => lastBegun.get(sender) ?? 0
  const next = () => waiting.reduce<Waiting | undefined>((a, b) => (a && lastOf(a) <= lastOf(b) ? a : b), undefined)

  const beginNext = () => {
    for (let task = next(); task && task.weight <= free; task = next()) {
      waiting.splice(waiting.indexOf(task), 1)
      free -= task.weight
      lastBegun.set(task.sender, ++sequence)
      running.set(task.sender, (running.get(task.sender) ?? 0) + 1)
      task.begin()
    }
  }

  const removeIdle = (sender: string) => {
    if ((running.get(sender) ?? 0) > 0 || waiting.some((task) => task.sender === sender)) return
    running.delete(sender)
    lastBegun.delete(sender)
  }

  const refuse = (task: Waiting, why: Error) => {
    const at = waiting.indexOf(task)
    // It has just begun.
    if (at < 0) return
    waiting.splice(at, 1)
    removeIdle(task.sender)
    task.refuse(why)
    // A heavy task may have kept lighter ones waiting.
    beginNext()
  }

  const refuseOne = () => {
    const counts = new Map<string, number>()
    for (const { sender } of waiting) counts.set(sender, (counts.get(sender) ?? 0) + 1)
    const max = Math.max(...counts.values())
    refuse(waiting.findLast(({ sender }) => counts.get(sender) === max)!, full())
  }

  const turn = async (weight: number, sender: string, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    let stopWaiting = () => {}
    await new Promise<void>((begin, reject) => {
      const task = { weight, sender, begin, refuse: reject }
      stopWaiting = () => refuse(task, signal!.reason)
      signal?.addEventListener('abort', stopWaiting)
      waiting.push(task)
      beginNext()
      if (waiting.length > maxWaiting) refuseOne()
    }).finally(() => signal?.removeEventListener('abort', stopWaiting))
  }

  return async <T>(work: () => Promise<T>, { weight = 1, sender = '', signal }: Task = {}): Promise<T> => {
    await turn(weight, sender, signal)
    const begunAt = performance.now()
    try {
      return await work()
    } finally {
      running.set(sender, running.get(sender)! - 1)
      removeIdle(sender)
      const release = () => {
        free += weight
        beginNext()
      }
      const restMs = Math.min(rest.ratio * (performance.now() - begunAt), rest.maxMs)
      if (waiting.length > 0 && restMs > 0) setTimeout(release, restMs)
      else release()
    }
  }
}
