import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { formatNumber } from '../../../../components/data/format.ts'
import { messages } from '../../../../messages/index.ts'
import { type Outcome, runBulk } from './run-bulk.ts'

const texts = messages.map.table.bulk
/** What is done sooner is done before anyone could read that it runs. */
const SHOWN_AFTER_MS = 500

export type Words = {
  /** How far it is. */
  running: (tried: string, all: string) => string
  /** What did not happen, to how many of how many, and why. */
  failed: (some: string, all: string, cause: string) => string
}

/** Does the same with each item in the background, and shows how far it is, with a button that stops it. A page that is left asks first. */
export async function runBulkShown<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
  running: Words['running'],
  atOnce: number,
): Promise<Outcome<Item, Result>> {
  const stopper = new AbortController()
  let tried = 0
  let id: string | undefined
  const show = (wait: number | null) => {
    const shown = {
      title: running(formatNumber(tried), formatNumber(items.length)),
      message: (
        <div className="row">
          <span className="grow">{wait === null ? texts.stayOpen : texts.waiting(formatNumber(wait))}</span>
          <Button size="xs" onClick={() => stopper.abort()}>
            {texts.stop}
          </Button>
        </div>
      ),
      loading: true,
      autoClose: false as const,
      withCloseButton: false,
    }
    if (id === undefined) id = notifications.show(shown)
    else notifications.update({ id, ...shown })
  }
  const timer = setTimeout(() => show(null), SHOWN_AFTER_MS)
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  try {
    const onProgress = (count: number) => {
      tried = count
      if (id !== undefined && count % 10 === 0) show(null)
    }
    return await runBulk(items, work, { atOnce, signal: stopper.signal, onProgress, onWait: show })
  } finally {
    clearTimeout(timer)
    removeEventListener('beforeunload', ask)
    if (id !== undefined) notifications.hide(id)
  }
}
