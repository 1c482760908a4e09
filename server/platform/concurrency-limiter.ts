type Waiting = { turns: number; sender: string; begin: () => void; refuse: (error: Error) => void }

/**
 * Runs a bounded number of tasks concurrently. A task may take several slots, up to all of them. Senders take turns:
 * next is one without a task yet, or whose last task started longest ago; within a sender, and among unnamed senders,
 * tasks run in order. @param maxConcurrent number of slots @param maxWaiting bound of the queue: beyond it, the newest
 * task of the sender with the most waiting tasks is refused with the error that `full` creates
 */
export function createConcurrencyLimiter({
  maxConcurrent,
  maxWaiting,
  full,
}: {
  maxConcurrent: number
  maxWaiting: number
  full: () => Error
}) {
  const waiting: Waiting[] = []
  /** Sequence number of each sender's last start; dropped with its last task. */
  const begun = new Map<string, number>()
  const running = new Map<string, number>()
  let count = 0
  let left = maxConcurrent

  const lastOf = ({ sender }: Waiting) => begun.get(sender) ?? 0
  const next = () => waiting.reduce<Waiting | undefined>((a, b) => (a && lastOf(a) <= lastOf(b) ? a : b), undefined)

  const beginNext = () => {
    for (let one = next(); one && one.turns <= left; one = next()) {
      waiting.splice(waiting.indexOf(one), 1)
      left -= one.turns
      begun.set(one.sender, ++count)
      running.set(one.sender, (running.get(one.sender) ?? 0) + 1)
      one.begin()
    }
  }

  const forgetIdle = (sender: string) => {
    if ((running.get(sender) ?? 0) > 0 || waiting.some((one) => one.sender === sender)) return
    running.delete(sender)
    begun.delete(sender)
  }

  const refuseOne = () => {
    const counts = new Map<string, number>()
    for (const { sender } of waiting) counts.set(sender, (counts.get(sender) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const last = waiting.findLast(({ sender }) => counts.get(sender) === most)!
    waiting.splice(waiting.indexOf(last), 1)
    forgetIdle(last.sender)
    last.refuse(full())
  }

  return async <T>(turns: number, work: () => Promise<T>, sender = ''): Promise<T> => {
    await new Promise<void>((begin, refuse) => {
      waiting.push({ turns, sender, begin, refuse })
      beginNext()
      if (waiting.length > maxWaiting) refuseOne()
    })
    try {
      return await work()
    } finally {
      left += turns
      running.set(sender, running.get(sender)! - 1)
      forgetIdle(sender)
      beginNext()
    }
  }
}
