import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Skeleton } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import classes from '../map.module.css'
import { GcpPhotos } from '../photo/gcp-photos.tsx'
import type { Selection } from '../url-state.ts'
import { DeleteZone } from './delete-zone.tsx'
import { GcpFacts, PinFacts, ScanFacts, ZoneFacts } from './selection-facts.tsx'
import { GcpTagSheet, ZoneTagSheet } from './tag-sheets.tsx'
import type { Selected } from './use-selection.ts'
import { ZonePhotos } from './zone-photos.tsx'

const texts = messages.map.chosen

/** The element of the panel. */
export const SELECTION_ID = 'map-selection'

type Props = {
  selection: Selection
  selected: Selected
  onSelect: (selection: Selection) => void
  onEdit: () => void
  onDelete: () => void
  onClose: () => void
  onChanged: () => void
}

/** Details and actions of the selected item. */
export function SelectionPanel({ selection, selected, onSelect, onEdit, onDelete, onClose, onChanged }: Props) {
  const { pin, gcp, zone, scan, error } = selected
  const close = (
    <ActionIcon size={28} aria-label={messages.common.close} onClick={onClose}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  )
  const frame = (title: string, content: ReactNode) => (
    <section id={SELECTION_ID} className={classes.section} aria-label={texts.label}>
      <div className="row">
        <h2 className={`grow ${classes.title}`}>{title}</h2>
        {close}
      </div>
      {content}
    </section>
  )
  if (error) return frame(texts.kinds[selection.kind], <Failure error={error} />)
  if (pin)
    return frame(
      pin.title,
      <>
        <PinFacts pin={pin} />
        <Buttons onEdit={onEdit} onDelete={onDelete} hint />
      </>,
    )
  if (gcp)
    return frame(
      gcp.title,
      <>
        <GcpFacts gcp={gcp} />
        <GcpTagSheet gcp={gcp} />
        <GcpPhotos key={gcp.id} gcp={gcp} onChanged={onChanged} />
        <Buttons onEdit={onEdit} onDelete={onDelete} hint={gcp.pin?.latitude != null} />
      </>,
    )
  if (zone)
    return frame(
      zone.title,
      <>
        <ZoneFacts zone={zone} />
        <ZoneTagSheet zone={zone} />
        <ZonePhotos zone={zone} onSelect={onSelect} />
        <div className="row">
          <Button size="xs" data-edit onClick={onEdit}>
            {texts.edit}
          </Button>
          <DeleteZone
            zone={zone}
            onDeleted={() => {
              onClose()
              onChanged()
            }}
          />
        </div>
      </>,
    )
  if (scan)
    return frame(
      scan.title ?? scan.fileName,
      <>
        <ScanFacts scan={scan} />
        <Link to="/scans/$scanId" params={{ scanId: scan.id }}>
          {texts.openScan}
        </Link>
      </>,
    )
  return frame(texts.kinds[selection.kind], <Skeleton rows={3} />)
}

function Buttons({ onEdit, onDelete, hint }: { onEdit: () => void; onDelete: () => void; hint: boolean }) {
  return (
    <>
      <div className="row">
        <Button size="xs" data-edit onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button size="xs" onClick={onDelete}>
          {messages.common.delete}
        </Button>
      </div>
      {hint && <p className="faint small">{texts.moveHint}</p>}
    </>
  )
}
