import type { Cairn } from '@cairn/sdk'
import { useCallback, useRef, useState } from 'react'
import { formatNumber } from '../../../../components/data/format.ts'
import { notifyWarning } from '../../../../components/feedback/notify.ts'
import { offerUndo } from '../../../../components/feedback/undo.tsx'
import { messages } from '../../../../messages/index.ts'
import { useCairn } from '../../../../session/session.tsx'
import { clearPending, markPending } from '../../pending-deletions.ts'
import { keyOf } from '../../url-state.ts'
import { useMapMutations } from '../../use-map-mutations.ts'
import type { Point } from '../points.ts'
import { atOnce, type Change, type Changed, changePoint, deletePoint, undoChange } from './changes.ts'
import { sentencesOf } from './report.ts'
import { type Failed, type Outcome, runBulk } from './run-bulk.ts'
import { runBulkShown } from './run-bulk-shown.ts'

const texts = messages.map.table.bulk

export type ChangeOutcome = Outcome<Point, Changed>

/** Changes several points, with progress, and offers to undo it. */
export function useBulkChange() {
  const cairn = useCairn()
  const { refresh } = useMapMutations()
  const [tried, setTried] = useState<number | null>(null)
  const [wait, setWait] = useState<number | null>(null)
  const stopper = useRef<AbortController>(null)

  const change = useCallback(
    async (points: Point[], change: Change): Promise<ChangeOutcome> => {
      stopper.current = new AbortController()
      setTried(0)
      const { signal } = stopper.current
      try {
        const work = (point: Point) => changePoint(cairn, change, point)
        const outcome = await runBulk(points, work, {
          atOnce: atOnce(change),
          signal,
          onProgress: setTried,
          onWait: setWait,
        })
        const { done } = outcome
        const isDone = texts.changed(done.length, formatNumber(done.length))
        if (done.length > 0) offerUndo(isDone, () => void undo(cairn, done).then(refresh))
        return outcome
      } finally {
        setTried(null)
        setWait(null)
        await refresh()
      }
    },
    [cairn, refresh],
  )
  return { change, tried, wait, stop: () => stopper.current?.abort() }
}

async function undo(cairn: Cairn, done: Changed[]) {
  const work = (one: Changed) => undoChange(cairn, one)
  const { failed } = await runBulkShown(done, work, texts.undoing)
  const points = failed.map(({ item, error }) => ({ item: item.point, error }))
  warnOf(points, done.length, texts.notUndone)
}

/** Deletes points once eight seconds have passed in which it can be undone. If the page is left before, they stay. */
export function useBulkDelete() {
  const cairn = useCairn()
  const { refresh } = useMapMutations()
  return (points: Point[]) => {
    const names = points.map(keyOf)
    const send = async () => {
      const work = (point: Point) => deletePoint(cairn, point)
      const { failed } = await runBulkShown(points, work, texts.deleting)
      warnOf(failed, points.length, texts.notDeleted)
      await refresh()
      clearPending(...names)
    }
    markPending(...names)
    const restore = () => clearPending(...names)
    offerUndo(texts.deleted(points.length, formatNumber(points.length)), restore, () => void send(), restore)
  }
}

function warnOf(failed: Failed<Point>[], total: number, verb: (some: string, all: string, cause: string) => string) {
  for (const { sentence, titles } of sentencesOf(failed, total, verb)) notifyWarning(sentence, titles)
}
