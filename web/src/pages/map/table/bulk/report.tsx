import { CairnError } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { formatNumber } from '../../../../components/data/format.ts'
import { errorMessage } from '../../../../components/feedback/failure.tsx'
import { messages } from '../../../../messages/index.ts'
import type { Point } from '../points.ts'
import { NoFreeTag } from './changes.ts'
import { ChangedByOthers, NoResponse } from './conditional-writes.ts'
import type { Outcome } from './run-bulk.ts'
import type { Words } from './run-bulk-shown.tsx'

const texts = messages.map.table.bulk
const NAMED = 3

/** Why nothing happened to a point, in words. */
function causeOf(error: unknown): string {
  if (error instanceof ChangedByOthers) return texts.causes.changed
  if (error instanceof NoFreeTag) return texts.causes.noTag
  if (error instanceof NoResponse) return texts.causes.unknown
  if (error instanceof CairnError && error.status === 404) return texts.causes.gone
  if (error instanceof CairnError && error.status === 403) return texts.causes.forbidden
  if (error instanceof CairnError && error.status === 429) return texts.causes.tooMany
  return errorMessage(error)
}

/** Tells which points were left as they are, by cause, each cause with a button that selects its points. */
export function reportLeft(
  { failed, left }: Outcome<Point, unknown>,
  total: number,
  words: Words['failed'],
  onSelect: (points: Point[]) => void,
): void {
  const causes = Map.groupBy(failed, ({ error }) => causeOf(error))
  const all = [...causes].map(([cause, some]) => ({ cause, points: some.map(({ item }) => item) }))
  if (left.length > 0) all.push({ cause: texts.causes.stopped, points: left })
  for (const { cause, points } of all) {
    const title = words(formatNumber(points.length), formatNumber(total), cause)
    const titles = points.slice(0, NAMED).map((point) => point.title)
    const more = points.length - titles.length
    const select = () => {
      notifications.hide(title)
      onSelect(points)
    }
    const message = (
      <div className="row">
        <span className="grow">
          {more > 0 ? texts.andMore(titles.join(', '), formatNumber(more)) : titles.join(', ')}
        </span>
        <Button size="xs" onClick={select}>
          {texts.selectRest(points.length, formatNumber(points.length))}
        </Button>
      </div>
    )
    const closeButtonProps = { 'aria-label': messages.common.close }
    notifications.show({ id: title, title, message, color: 'yellow', autoClose: false, closeButtonProps })
  }
}
