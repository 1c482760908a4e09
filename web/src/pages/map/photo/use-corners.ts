import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { MeasuredPhoto } from './photo-tags.tsx'

export type Corners = MeasuredPhoto['tags'][number]['corners']
type Pixel = Corners[number]

const STEPS: Record<string, Pixel> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const LONG_STEP = 10

/** The corners that are being placed: a press on the photo, a drag or the arrow keys move the active one. */
export function useCorners(photo: MeasuredPhoto, tagId: number) {
  const [corners, setCorners] = useState(() => startOf(photo, tagId))
  const [active, setActive] = useState(0)
  const [dragged, setDragged] = useState<number | null>(null)

  const move = (at: number, [x, y]: Pixel) => {
    const to: Pixel = [within(x, photo.width), within(y, photo.height)]
    setCorners((now) => now.map((corner, index) => (index === at ? to : corner)) as Corners)
  }
  /** The pixel of the photo below the pointer. */
  const pixelAt = ({ clientX, clientY }: { clientX: number; clientY: number }, frame: Element): Pixel => {
    const { left, top, width, height } = frame.getBoundingClientRect()
    return [((clientX - left) / width) * photo.width - 0.5, ((clientY - top) / height) * photo.height - 0.5]
  }

  return {
    corners,
    active,
    /** Places the active corner, and activates the next one. */
    press(event: { clientX: number; clientY: number; currentTarget: Element }) {
      move(active, pixelAt(event, event.currentTarget))
      setActive((active + 1) % 4)
    },
    /** Of the handle of a corner. */
    handle: (at: number) => ({
      onFocus: () => setActive(at),
      onPointerDown(event: PointerEvent) {
        event.currentTarget.setPointerCapture(event.pointerId)
        setActive(at)
        setDragged(at)
      },
      onPointerMove(event: PointerEvent) {
        if (dragged === at) move(at, pixelAt(event, event.currentTarget.parentElement!))
      },
      onPointerUp: () => setDragged(null),
      onPointerCancel: () => setDragged(null),
      onKeyDown(event: KeyboardEvent) {
        const step = STEPS[event.key]
        if (!step) return
        event.preventDefault()
        const far = event.shiftKey ? LONG_STEP : 1
        const [x, y] = corners[at]!
        move(at, [x + step[0] * far, y + step[1] * far])
      },
    }),
  }
}

/** To a tenth of a pixel, inside the image. */
const within = (value: number, size: number): number =>
  Math.round(Math.min(Math.max(value, -0.5), size - 0.5) * 10) / 10

/** Where the tag is now, or a square in the middle. */
function startOf({ tags, width, height }: MeasuredPhoto, tagId: number): Corners {
  const tag = tags.find(({ id }) => id === tagId)
  if (tag) return tag.corners
  const [x, y, half] = [width / 2, height / 2, Math.min(width, height) / 12]
  const [left, right, top, bottom] = [x - half, x + half, y - half, y + half].map(Math.round) as [
    number,
    number,
    number,
    number,
  ]
  return [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ]
}
