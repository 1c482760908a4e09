import { formatNumber } from '../../components/data/format.ts'
import { messages } from '../../messages/index.ts'
import classes from './sparkline.module.css'

const WIDTH = 600
const HEIGHT = 92
const EDGE = 8

/** A line chart of scores, oldest first. Provide the values in a table as well. */
export function Sparkline({ values }: { values: number[] }) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (i: number) => EDGE + (i * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1)
  const y = (value: number) => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE)
  const line = values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  const last = values.length - 1
  const label = messages.game.player.chart(values.length, formatNumber(values[0]!), formatNumber(values[last]!))
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path className={classes.fill} d={`${line}L${x(last)} ${HEIGHT}L${x(0)} ${HEIGHT}Z`} />
      <path className={classes.line} d={line} />
    </svg>
  )
}
