import type { AprilTagConflictPair, Gcp } from '@cairn/sdk'
import { ActionIcon, Button } from '@mantine/core'
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMetres, formatNumber } from '../../../components/data/format.ts'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import formClasses from '../editor/editor.module.css'
import classes from '../map.module.css'
import { keyOf, type Selection } from '../url-state.ts'

const texts = messages.map.conflict

type Props = {
  conflicts: AprilTagConflictPair[]
  selection: Selection | null
  onSelect: (selection: Selection) => void
  /** Called to assign a tag that is not suggested. */
  onOther: (gcp: Gcp) => void
  onRepaired: () => void
}

/** A pair of control points with the same tag, and free tags to assign with one click. */
export function ConflictPanel({ conflicts, selection, onSelect, onOther, onRepaired }: Props) {
  const selected = selection ? keyOf(selection) : null
  const [at, setAt] = useState(0)
  const ofSelection = conflicts.findIndex(({ gcps }) => gcps.some((gcp) => keyOfGcp(gcp) === selected))
  const visible = ofSelection >= 0 ? ofSelection : Math.min(at, conflicts.length - 1)
  const conflict = conflicts[visible]
  const repair = useRepair(onRepaired)
  if (!conflict) return null
  const { aprilTagId, metres, gcps, freeAprilTagIds } = conflict
  // The newer control point gets the new tag.
  const [first, later] = gcps[0].id < gcps[1].id ? gcps : [gcps[1], gcps[0]]
  const link = (gcp: Gcp) => (
    <button type="button" className={classes.link} onClick={() => onSelect({ kind: 'gcp', id: String(gcp.id) })}>
      {gcp.title}
    </button>
  )
  const walk = (by: number) => {
    const next = (visible + by + conflicts.length) % conflicts.length
    setAt(next)
    onSelect({ kind: 'gcp', id: String(conflicts[next]!.gcps[0].id) })
  }
  return (
    <section className={classes.conflict} aria-label={texts.title(aprilTagId)}>
      <div className="row">
        <IconAlertTriangle size={16} aria-hidden />
        <h2 className="grow">{texts.title(aprilTagId)}</h2>
        {conflicts.length > 1 && (
          <span className={`row ${classes.pager}`}>
            <ActionIcon size={26} aria-label={texts.before} onClick={() => walk(-1)}>
              <IconChevronLeft size={16} aria-hidden />
            </ActionIcon>
            {messages.common.shown(formatNumber(visible + 1), formatNumber(conflicts.length))}
            <ActionIcon size={26} aria-label={texts.next} onClick={() => walk(1)}>
              <IconChevronRight size={16} aria-hidden />
            </ActionIcon>
          </span>
        )}
      </div>
      <p>
        {link(first)} {texts.and} {link(later)} {texts.apart(formatMetres(metres))}
      </p>
      {freeAprilTagIds.length === 0 && <p>{texts.noneFree}</p>}
      <div className="small">{texts.give(later.title)}</div>
      <fieldset className={formClasses.choices} aria-label={texts.give(later.title)}>
        {freeAprilTagIds.map((tag) => (
          <Button
            key={tag}
            className={classes.free}
            aria-label={texts.giveTag(later.title, tag)}
            disabled={repair.isPending}
            onClick={() => repair.mutate({ gcp: later, tag })}
          >
            {tag}
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={() => onOther(later)}>
          {texts.other}
        </Button>
      </fieldset>
      {repair.error && <p role="alert">{errorMessage(repair.error)}</p>}
    </section>
  )
}

const keyOfGcp = ({ id }: Gcp) => keyOf({ kind: 'gcp', id })

function useRepair(onRepaired: () => void) {
  const cairn = useCairn()
  return useMutation({
    mutationFn: ({ gcp, tag }: { gcp: Gcp; tag: number }) =>
      cairn.gcps.update(gcp.id, { title: gcp.title, aprilTagId: tag }),
    onSuccess: (_, { gcp, tag }) => {
      notifySuccess(texts.repaired(gcp.title, tag))
      onRepaired()
    },
  })
}
