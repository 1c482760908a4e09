/** A map icon, rendered at twice its display size. */
export type Icon = { image: ImageData; pixelRatio: number }
export type Icons = Record<string, Icon>

const RATIO = 2
const TAG = 28
const MAX_TAGS = 50

/** Renders an icon of `width` × `height` points. */
function drawn(width: number, height: number, draw: (pen: CanvasRenderingContext2D) => void): Icon {
  const canvas = document.createElement('canvas')
  canvas.width = width * RATIO
  canvas.height = height * RATIO
  const pen = canvas.getContext('2d', { willReadFrequently: true })!
  pen.scale(RATIO, RATIO)
  draw(pen)
  return { image: pen.getImageData(0, 0, canvas.width, canvas.height), pixelRatio: RATIO }
}

/** A pin whose tip, at the bottom centre, marks the location. */
export const pinIcon = (fill: string, edge: string): Icon =>
  drawn(26, 32, (pen) => {
    pen.beginPath()
    pen.arc(13, 13, 10, Math.PI * 0.85, Math.PI * 0.15)
    pen.bezierCurveTo(19, 24, 15, 26, 13, 31)
    pen.bezierCurveTo(11, 26, 7, 24, 13 - 10 * Math.cos(Math.PI * 0.15), 13 + 10 * Math.sin(Math.PI * 0.15))
    pen.closePath()
    fillAndEdge(pen, fill, edge)
    pen.beginPath()
    pen.arc(13, 13, 3.4, 0, 2 * Math.PI)
    pen.fillStyle = edge
    pen.fill()
  })

/** A square with an AprilTag number, or a dash. */
const tagIcon = (text: string, fill: string, ink: string, edge: string): Icon =>
  drawn(TAG, TAG, (pen) => {
    pen.beginPath()
    pen.roundRect(2, 2, TAG - 4, TAG - 4, 4)
    fillAndEdge(pen, fill, edge)
    pen.fillStyle = ink
    pen.font = '600 11px "IBM Plex Mono", ui-monospace, monospace'
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillText(text, TAG / 2, TAG / 2 + 1)
  })

/** A ring that marks a scan. */
export const ringIcon = (colour: string, edge: string): Icon =>
  drawn(22, 22, (pen) => {
    pen.beginPath()
    pen.arc(11, 11, 7, 0, 2 * Math.PI)
    pen.lineWidth = 7
    pen.strokeStyle = edge
    pen.stroke()
    pen.lineWidth = 3.5
    pen.strokeStyle = colour
    pen.stroke()
  })

/** A part of a cluster's ring: its colour, its share of the ring, and its width in points. */
export type RingPart = { colour: string; share: number; width: number }

/** A disc for the count of a cluster, in a ring by kind, with a gap between two kinds. */
export const clusterIcon = (radius: number, parts: RingPart[], disc: string, edge: string): Icon => {
  const middle = radius + 2
  return drawn(2 * middle, 2 * middle, (pen) => {
    pen.beginPath()
    pen.arc(middle, middle, radius, 0, 2 * Math.PI)
    fillAndEdge(pen, disc, edge)
    const all = parts.reduce((sum, { share }) => sum + share, 0)
    const gap = parts.length > 1 ? 0.1 : 0
    let from = -Math.PI / 2
    for (const { colour, share, width } of parts) {
      const to = from + (2 * Math.PI * share) / all
      pen.beginPath()
      pen.arc(middle, middle, radius - width / 2, from + gap, to - gap)
      pen.lineWidth = width
      pen.strokeStyle = colour
      pen.stroke()
      from = to
    }
  })
}

/** An arrow that points up, to be rotated on the map. */
export const arrowIcon = (colour: string, edge: string): Icon =>
  drawn(40, 96, (pen) => {
    pen.beginPath()
    pen.moveTo(20, 46)
    pen.lineTo(20, 14)
    pen.moveTo(12, 20)
    pen.lineTo(20, 7)
    pen.lineTo(28, 20)
    pen.lineCap = 'round'
    pen.lineJoin = 'round'
    for (const [width, stroke] of [
      [7, edge],
      [3, colour],
    ] as const) {
      pen.lineWidth = width
      pen.strokeStyle = stroke
      pen.stroke()
    }
  })

/** Icons for all AprilTags: `tag-0` to `tag-50`, and `tag-none`. */
export function tagIcons(fill: string, ink: string, edge: string): Icons {
  const texts = ['none', ...Array.from({ length: MAX_TAGS + 1 }, (_, id) => String(id))]
  return Object.fromEntries(texts.map((id) => [`tag-${id}`, tagIcon(id === 'none' ? '–' : id, fill, ink, edge)]))
}

function fillAndEdge(pen: CanvasRenderingContext2D, fill: string, edge: string) {
  pen.lineWidth = 4
  pen.lineJoin = 'round'
  pen.strokeStyle = edge
  pen.stroke()
  pen.fillStyle = fill
  pen.fill()
}
