import { useState } from 'react'
import { formatNumber } from '../../../../components/data/format.ts'
import { offerUndo } from '../../../../components/feedback/undo.tsx'
import { messages } from '../../../../messages/index.ts'
import { useCairn } from '../../../../session/session.tsx'
import { clearPending, markPending } from '../../pending-deletions.ts'
import { keyOf } from '../../url-state.ts'
import { useMapMutations } from '../../use-map-mutations.ts'
import type { Point } from '../points.ts'
import { atOnce, type Change, changePoint, deletePoint, undoChange } from './changes.ts'
import { reportLeft } from './report.tsx'
import { runBulkShown, type Words } from './run-bulk-shown.tsx'

const texts = messages.map.table.bulk
const AT_ONCE = 4
const WORDS = {
  change: { running: texts.changing, failed: texts.notChanged },
  undo: { running: texts.undoing, failed: texts.notUndone },
  delete: { running: texts.deleting, failed: texts.notDeleted },
}

/** Changes and deletes several points in the background, with undo. @param onSelect selects points that were left as they are */
export function useBulk(onSelect: (points: Point[]) => void) {
  const cairn = useCairn()
  const { refresh } = useMapMutations()
  const [running, setRunning] = useState(0)

  const run = async <Result>(
    points: Point[],
    work: (point: Point) => Promise<Result>,
    { running, failed }: Words,
    most = AT_ONCE,
  ): Promise<Result[]> => {
    setRunning((count) => count + 1)
    const outcome = await runBulkShown(points, work, running, most)
    setRunning((count) => count - 1)
    reportLeft(outcome, points.length, failed, onSelect)
    await refresh()
    return outcome.done
  }

  const change = async (points: Point[], change: Change) => {
    const done = await run(points, (point) => changePoint(cairn, change, point), WORDS.change, atOnce(change))
    const changed = new Map(done.map((one) => [one.point, one]))
    const undo = () => run([...changed.keys()], (point) => undoChange(cairn, changed.get(point)!), WORDS.undo)
    if (done.length > 0) offerUndo(texts.changed(done.length, formatNumber(done.length)), () => void undo())
  }

  /** Once eight seconds have passed in which it can be undone. If the page is left before, the points stay. */
  const remove = (points: Point[]) => {
    const names = points.map(keyOf)
    const restore = () => clearPending(...names)
    const send = () => run(points, (point) => deletePoint(cairn, point), WORDS.delete).finally(restore)
    markPending(...names)
    offerUndo(texts.deleted(points.length, formatNumber(points.length)), restore, () => void send(), restore)
  }
  return { change, remove, isRunning: running > 0 }
}
