import { type ReactNode, useRef, useState } from 'react'
import { messages } from '../../messages/index.ts'
import { formatMetres } from '../data/format.ts'
import { Notice } from '../feedback/notice.tsx'
import { Skeleton } from '../query/query-result.tsx'
import { CameraButtons } from './camera-buttons.tsx'
import { ClipControls } from './clip-controls.tsx'
import classes from './model-viewer.module.css'
import { type ModelSource, useDrawable } from './use-model-url.ts'
import { cameraOf, type Size, useViewer, useViewerCode } from './use-viewer.ts'
import type { Viewer } from './viewer.ts'
import { viewerAttributes } from './viewer-attributes.ts'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'model-viewer': Record<string, unknown>
    }
  }
}

const texts = messages.files.view

/** A 3D view of a model that can be rotated by pointer, arrow keys, Page Up/Down and buttons. @param over content at the top left @param facts content in the footer @param onDrawn is called once the model is drawn */
export function ModelView({
  source,
  name,
  over,
  facts,
  onDrawn,
}: {
  source: ModelSource
  name: string
  over?: ReactNode
  facts?: ReactNode
  onDrawn?: (viewer: Viewer) => void
}) {
  const isThere = useViewerCode()
  const { url, error } = useDrawable(source)
  const { viewer, attach, shown } = useViewer(url, onDrawn)
  const box = useRef<HTMLElement>(null)
  const [isMoving] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const cannot = isThere === false || error !== undefined || shown === null

  return (
    <section ref={box} className={classes.view} aria-label={texts.title(name)} data-state={shown ? 'drawn' : undefined}>
      {over && <div className={classes.over}>{over}</div>}
      {isThere && url && !cannot && (
        <model-viewer
          key={url}
          ref={attach as (element: HTMLElement | null) => void}
          class={classes.canvas}
          src={url}
          alt={texts.alt(name)}
          {...viewerAttributes}
          autoplay={isMoving ? '' : undefined}
        />
      )}
      {!shown && !cannot && (
        <div className={classes.waiting}>
          <Skeleton rows={3} />
        </div>
      )}
      {cannot && (
        <div className={classes.waiting}>
          <Notice tone="warn" title={texts.cannot}>
            {source.type === 'USDZ' ? texts.cannotUsdz : texts.cannotHow}
          </Notice>
        </div>
      )}
      {shown && <CameraButtons camera={cameraOf(viewer)} onFull={() => void box.current?.requestFullscreen()} />}
      {shown && (
        <footer className={classes.foot}>
          {shown.clips.length > 0 && (
            <ClipControls key={url} viewer={viewer} clips={shown.clips} isMovingAtFirst={isMoving} />
          )}
          <span className="grow" />
          <span>{sizeOf(shown.size)}</span>
          {facts && <span>{facts}</span>}
        </footer>
      )}
    </section>
  )
}

/** Width × height × depth. */
const sizeOf = ({ x, y, z }: Size) => texts.size(formatMetres(x), formatMetres(y), formatMetres(z))
