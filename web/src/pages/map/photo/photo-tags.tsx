import type { Gcp } from '@cairn/sdk'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { messages } from '../../../messages/index.ts'
import { CornerEditor } from './corner-editor.tsx'
import classes from './photo-tags.module.css'

const texts = messages.map.photos

export type UploadedPhoto = Gcp['uploadedFiles'][number]
export type MeasuredPhoto = UploadedPhoto & { width: number; height: number }
type Props = { gcp: Gcp; photo: UploadedPhoto | undefined; title: string; onClose: () => void; onChanged: () => void }

/** A photo of a control point with its tags, what its check says, and the corners that can be placed by hand. */
export function PhotoTags({ photo, title, onClose, ...rest }: Props) {
  return (
    <Modal opened={photo !== undefined} onClose={onClose} title={title} size="xl">
      {photo && <Content key={photo.id} photo={photo} title={title} {...rest} />}
    </Modal>
  )
}

const isMeasured = (photo: UploadedPhoto): photo is MeasuredPhoto => photo.width !== null && photo.height !== null

function Content({ gcp, photo, title, onChanged }: Omit<Props, 'onClose' | 'photo'> & { photo: UploadedPhoto }) {
  const [isPlacing, setIsPlacing] = useState(false)
  if (isPlacing && isMeasured(photo) && gcp.aprilTagId !== null)
    return (
      <CornerEditor
        gcpId={gcp.id}
        tagId={gcp.aprilTagId}
        photo={photo}
        title={title}
        onDone={() => {
          setIsPlacing(false)
          onChanged()
        }}
        onCancel={() => setIsPlacing(false)}
      />
    )
  return (
    <div className="stack">
      <div className={classes.photo}>
        <img src={photo.fileUrl} alt={title} />
        {isMeasured(photo) && <Outlines photo={photo} />}
      </div>
      <p>{texts.checks[photo.tagCheck]}</p>
      {photo.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {photo.tags.some(({ source }) => source === 'hand') && <p>{texts.corners.byHand}</p>}
      <div className="row wrap">
        {isMeasured(photo) && gcp.aprilTagId !== null && (
          <Button size="xs" onClick={() => setIsPlacing(true)}>
            {texts.corners.place}
          </Button>
        )}
        <a href={photo.fileUrl} target="_blank" rel="noreferrer">
          {texts.original(photo.fileName)}
        </a>
      </div>
    </div>
  )
}

/** Outlines in the pixels of the photo: the center of the top left one is 0, 0. Dashed if they were placed by hand. */
function Outlines({ photo: { tags, width, height } }: { photo: MeasuredPhoto }) {
  const size = Math.max(width, height) / 40
  return (
    <svg viewBox={`-0.5 -0.5 ${width} ${height}`} role="img" aria-label={texts.tags(tags.map(({ id }) => id))}>
      {tags.map(({ id, source, corners, center: [x, y] }) => (
        <g key={corners.join()} data-tag={id} data-source={source}>
          <polygon points={corners.map((corner) => corner.join()).join(' ')} vectorEffect="non-scaling-stroke" />
          <circle cx={x} cy={y} r={size / 8} />
          <text x={Math.max(...corners.map(([cornerX]) => cornerX)) + size / 4} y={y} fontSize={size}>
            {id}
          </text>
        </g>
      ))}
    </svg>
  )
}
