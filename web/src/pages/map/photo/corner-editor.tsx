import { ActionIcon, Button } from '@mantine/core'
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { Failure } from '../../../components/feedback/failure.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from './corner-editor.module.css'
import type { MeasuredPhoto } from './photo-tags.tsx'
import { useCorners } from './use-corners.ts'

const texts = messages.map.photos.corners
const MAX_ZOOM = 32

type Props = {
  gcpId: number
  tagId: number
  photo: MeasuredPhoto
  title: string
  onDone: () => void
  onCancel: () => void
}

/** Places the four corners of the tag in a photo, enlarged, by pressing, dragging or arrow keys. */
export function CornerEditor({ gcpId, tagId, photo, title, onDone, onCancel }: Props) {
  const cairn = useCairn()
  const { width, height } = photo
  const { corners, active, press, handle } = useCorners(photo, tagId)
  const [zoom, setZoom] = useState(1)
  const view = useRef<HTMLDivElement>(null)
  const save = useMutation({
    mutationFn: () => cairn.gcps.setPhotoCorners(gcpId, photo.id, { corners }),
    onSuccess: onDone,
  })
  const remove = useMutation({
    mutationFn: () => cairn.gcps.removePhotoCorners(gcpId, photo.id),
    onSuccess: onDone,
  })
  const failed = save.error ?? remove.error
  const [x, y] = corners[active]!
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new zoom brings the corner to the middle
  useLayoutEffect(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = view.current!
    view.current!.scrollTo((x / width) * scrollWidth - clientWidth / 2, (y / height) * scrollHeight - clientHeight / 2)
  }, [zoom])

  const percent = (value: number, size: number) => `${((value + 0.5) / size) * 100}%`
  return (
    <div className="stack">
      <p className="small">{texts.how(tagId)}</p>
      <div className={classes.view} ref={view}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the handles move by keys */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the handles are the controls */}
        <div className={classes.photo} style={{ width: `${zoom * 100}%` }} onClick={press}>
          <img src={photo.fileUrl} alt={title} draggable={false} data-large={zoom > 4} />
          <svg viewBox={`-0.5 -0.5 ${width} ${height}`} aria-hidden>
            <polygon points={corners.map((corner) => corner.join()).join(' ')} vectorEffect="non-scaling-stroke" />
          </svg>
          {corners.map(([left, top], at) => (
            <button
              key={texts.names[at]}
              type="button"
              className={classes.handle}
              style={{ left: percent(left, width), top: percent(top, height) }}
              aria-label={texts.corner(texts.names[at]!, left, top)}
              aria-pressed={at === active}
              onClick={(event) => event.stopPropagation()}
              {...handle(at)}
            />
          ))}
        </div>
      </div>
      <div className="row wrap">
        <ActionIcon size={28} aria-label={texts.smaller} disabled={zoom === 1} onClick={() => setZoom(zoom / 2)}>
          <IconZoomOut size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon size={28} aria-label={texts.larger} disabled={zoom === MAX_ZOOM} onClick={() => setZoom(zoom * 2)}>
          <IconZoomIn size={16} aria-hidden />
        </ActionIcon>
        <p className={`small faint ${classes.at}`} role="status">
          {texts.corner(texts.names[active]!, x, y)}
        </p>
        {photo.tags.some(({ source }) => source === 'hand') && (
          <Button size="xs" color="red" variant="outline" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.remove}
          </Button>
        )}
        <Button size="xs" onClick={onCancel}>
          {messages.common.cancel}
        </Button>
        <Button size="xs" variant="filled" loading={save.isPending} onClick={() => save.mutate()}>
          {texts.save}
        </Button>
      </div>
      {failed && <Failure error={failed} />}
    </div>
  )
}
