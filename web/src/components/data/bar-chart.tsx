import { useState } from 'react'
import classes from './bar-chart.module.css'
import { formatNumber } from './format.ts'

const HEIGHT = 140
const GRID = [0.5]
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })

/** One bar, with one value per series from bottom to top. */
export type Bar = { label: string; parts: number[] }

/** A stacked bar chart. Provide the same data as a table, or a link to one. @param summary describes the chart in words @param ticks labels of the x axis, each below its bar, from 0 */
export function BarChart({
  summary,
  bars,
  series,
  ticks,
}: {
  summary: string
  bars: Bar[]
  series: { name: string; colour: string }[]
  ticks: { at: number; name: string }[]
}) {
  const top = roundUp(Math.max(1, ...bars.map(({ parts }) => sum(parts))))
  const step = 100 / bars.length
  const [pointed, setPointed] = useState<number>()
  const shown = pointed === undefined ? undefined : bars[pointed]
  return (
    <div className={classes.chart}>
      <div className={classes.area} onPointerLeave={() => setPointed(undefined)}>
        <svg className={classes.plot} role="img" aria-label={summary}>
          {GRID.map((share) => (
            <line key={share} x1="0" x2="100%" y1={HEIGHT * share} y2={HEIGHT * share} stroke="var(--line)" />
          ))}
          {bars.map(({ label, parts }, n) => (
            <g key={label} onPointerEnter={() => setPointed(n)}>
              <rect
                x={`${n * step}%`}
                width={`${step}%`}
                height={HEIGHT}
                fill={pointed === n ? 'var(--hover)' : 'transparent'}
              />
              {parts.map((part, i) => {
                // Nonzero values are always visible.
                const height = part === 0 ? 0 : Math.max(2, (part / top) * HEIGHT)
                const below = (sum(parts.slice(0, i)) / top) * HEIGHT
                return (
                  <rect
                    key={series[i]!.name}
                    x={`${(n + 0.1) * step}%`}
                    width={`${step * 0.8}%`}
                    y={HEIGHT - below - height}
                    height={height}
                    fill={series[i]!.colour}
                  />
                )
              })}
            </g>
          ))}
        </svg>
        {shown && (
          <div
            className={classes.tip}
            aria-hidden
            style={{ left: `${(pointed! + 0.5) * step}%`, translate: pointed! < bars.length / 2 ? '0' : '-100%' }}
          >
            <div className="strong">{shown.label}</div>
            {series.map(({ name, colour }, i) => (
              <div key={name} className="row">
                <span className={classes.swatch} style={{ background: colour }} />
                <span className="grow">{name}</span>
                <span className="num">{formatNumber(shown.parts[i]!)}</span>
              </div>
            ))}
          </div>
        )}
      </div>
      <div className={classes.scale} aria-hidden>
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{compact.format(value)}</span>
        ))}
      </div>
      <div className={classes.times} aria-hidden>
        {ticks.map(({ at, name }) => (
          <span key={at} style={{ left: `${(at + 0.5) * step}%` }}>
            {name}
          </span>
        ))}
      </div>
      <ul className={classes.legend}>
        {series.map(({ name, colour }) => (
          <li key={name}>
            <span className={`${classes.swatch} drawn`} style={{ background: colour }} aria-hidden /> {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The next round number whose half is an integer. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = power === 1 ? [2, 4, 6, 8, 10] : [1, 2, 3, 4, 5, 6, 8, 10]
  return steps.map((n) => n * power).find((n) => n >= value) ?? value
}
