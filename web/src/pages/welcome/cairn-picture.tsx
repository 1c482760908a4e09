import { useMemo } from 'react'
import { messages } from '../../messages/index.ts'
import classes from './guide.module.css'
import { normalOf, type Rgb, STONES, surfaceOf, type Triangle } from './sample/stones.ts'

/** Metres to SVG units. */
const SCALE = 1000
/** Sine and cosine of the camera's elevation. */
const [SIN, COS] = [0.22, 0.975]
/** The direction of the light. */
const LIGHT = [-0.42, 0.8, 0.42] as const

/** The progress of the guide: one stone per finished step, and an outline of the next one. */
export function CairnPicture({ done, of }: { done: number; of: number }) {
  // The last stone is always the marker.
  const stones = STONES.slice(STONES.length - of).map((_, n) => STONES.length - of + n)
  const ground = of === STONES.length ? 0 : -120
  return (
    <svg
      className={classes.cairn}
      viewBox="-240 -480 480 540"
      role="img"
      aria-label={messages.welcome.doneOf(done, of)}
    >
      <g transform={`translate(0 ${-ground})`}>
        {stones.map((stone, n) =>
          n < done ? <Drawn key={stone} stone={stone} /> : <Outline key={stone} stone={stone} isNext={n === done} />,
        )}
      </g>
    </svg>
  )
}

function Drawn({ stone }: { stone: number }) {
  const triangles = useMemo(() => surfaceOf(STONES[stone]!, stone).filter((triangle) => facing(triangle) > 0), [stone])
  return (
    <g strokeWidth="0.8" strokeLinejoin="round">
      {triangles.map((triangle) => {
        const [path, fill] = [pathOf(triangle), shade(STONES[stone]!.colour, triangle)]
        return <path key={path} d={path} fill={fill} stroke={fill} />
      })}
    </g>
  )
}

function Outline({ stone, isNext }: { stone: number; isNext: boolean }) {
  const { x, y, halfWidth, halfHeight } = STONES[stone]!
  return (
    <ellipse
      className={isNext ? classes.next : classes.later}
      cx={x * SCALE}
      cy={-y * COS * SCALE}
      rx={halfWidth * SCALE}
      ry={Math.hypot(halfHeight * COS, halfWidth * SIN * 0.85) * SCALE}
    />
  )
}

const facing = (triangle: Triangle) => {
  const [, y, z] = normalOf(triangle)
  return y * SIN + z * COS
}

function pathOf(triangle: Triangle): string {
  const points = triangle.map(([x, y, z]) => `${round(x * SCALE)} ${round((-y * COS + z * SIN) * SCALE)}`)
  return `M${points.join('L')}z`
}

function shade(colour: Rgb, triangle: Triangle): string {
  const [x, y, z] = normalOf(triangle)
  const light = Math.max(0, x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2])
  return `rgb(${colour.map((c) => Math.round(255 * c * (0.34 + 0.8 * light))).join(' ')})`
}

const round = (n: number) => Math.round(n * 10) / 10
