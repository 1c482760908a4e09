import { notifications } from '@mantine/notifications'
import { formatNumber } from '../../../../components/data/format.ts'
import { messages } from '../../../../messages/index.ts'
import { type Outcome, runBulk } from './run-bulk.ts'

const texts = messages.map.table.bulk
const AT_ONCE = 4
/** Fewer are done before anyone could read that they run. */
const SHOWN_FROM = 50

/** Does the same with each item in the background, and shows how far it is. A page that is left asks first. @param running the words for how far */
export async function runBulkShown<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
  running: (tried: string, all: string) => string,
): Promise<Outcome<Item, Result>> {
  if (items.length < SHOWN_FROM) return runBulk(items, work, { atOnce: AT_ONCE })
  let tried = 0
  const said = (wait: number | null) => ({
    title: running(formatNumber(tried), formatNumber(items.length)),
    message: wait === null ? texts.stayOpen : texts.waiting(formatNumber(wait)),
    loading: true,
    autoClose: false as const,
    withCloseButton: false,
  })
  const id = notifications.show(said(null))
  const show = (wait: number | null) => notifications.update({ id, ...said(wait) })
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  try {
    const onProgress = (count: number) => {
      tried = count
      if (count % 10 === 0) show(null)
    }
    return await runBulk(items, work, { atOnce: AT_ONCE, onProgress, onWait: show })
  } finally {
    removeEventListener('beforeunload', ask)
    notifications.hide(id)
  }
}
