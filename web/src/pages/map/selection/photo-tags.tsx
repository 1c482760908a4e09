import type { Gcp } from '@cairn/sdk'
import { Modal } from '@mantine/core'
import { messages } from '../../../messages/index.ts'
import classes from './photo-tags.module.css'

const texts = messages.map.photos

export type UploadedPhoto = Gcp['uploadedFiles'][number]
type Props = { photo: UploadedPhoto | undefined; title: string; onClose: () => void }

/** A photo of a control point, with the tags that were found in it, and what its check says. */
export function PhotoTags({ photo, title, onClose }: Props) {
  return (
    <Modal opened={photo !== undefined} onClose={onClose} title={title} size="xl">
      {photo && (
        <div className="stack">
          <div className={classes.photo}>
            <img src={photo.fileUrl} alt={title} />
            {photo.width !== null && photo.height !== null && (
              <Outlines tags={photo.tags} width={photo.width} height={photo.height} />
            )}
          </div>
          <p>{texts.checks[photo.tagCheck]}</p>
          {photo.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
          <a href={photo.fileUrl} target="_blank" rel="noreferrer">
            {texts.original(photo.fileName)}
          </a>
        </div>
      )}
    </Modal>
  )
}

type Tags = { tags: UploadedPhoto['tags']; width: number; height: number }

/** Outlines in the pixels of the photo: the center of the top left one is 0, 0. */
function Outlines({ tags, width, height }: Tags) {
  const size = Math.max(width, height) / 40
  return (
    <svg viewBox={`-0.5 -0.5 ${width} ${height}`} role="img" aria-label={texts.tags(tags.map(({ id }) => id))}>
      {tags.map(({ id, corners, center: [x, y] }) => (
        <g key={corners.join()} data-tag={id}>
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
