import { useState } from 'react'
import { currentLocale } from '../../language/language.ts'
import { messages } from '../../messages/index.ts'
import classes from './bar-chart.module.css'
import { formatNumber } from './format.ts'

const GRID = [0.5]
/** More labels than these do not fit on a phone. */
const MANY = 4
const compact = new Intl.NumberFormat(currentLocale(), { notation: 'compact' })

/** One bar, with one value per series from bottom to top. `isMuted`: drawn in grey, beside others that matter more. */
export type Bar = { label: string; parts: number[]; isMuted?: boolean }

type Props = {
  /** Describes the chart in words. */
  summary: string
  bars: Bar[]
  series: { name: string; colour: string }[]
  /** Labels of the x axis, each below its bar, from 0. */
  ticks: { at: number; name: string }[]
  /** In pixels. Below 60 there is no scale. */
  height?: number
}

/** A stacked bar chart. The pointer, or the arrow keys once it is focused, show the values of a bar. */
export function BarChart({ summary, bars, series, ticks, height = 140 }: Props) {
  const top = roundUp(Math.max(1, ...bars.map(({ parts }) => sum(parts))))
  const step = 100 / bars.length
  const [pointed, setPointed] = useState<number>()
  const shown = pointed === undefined ? undefined : bars[pointed]
  const isTall = height >= 60
  return (
    <div className={isTall ? classes.chart : classes.small}>
      <div
        className={classes.area}
        role="slider"
        aria-roledescription={messages.common.chart}
        aria-label={summary}
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={(pointed ?? bars.length - 1) + 1}
        aria-valuetext={wordsOf(shown ?? bars.at(-1)!, series)}
        tabIndex={0}
        onFocus={() => setPointed(bars.length - 1)}
        onBlur={() => setPointed(undefined)}
        onKeyDown={(event) => {
          const next = pressed(event.key, pointed ?? bars.length - 1, bars.length - 1)
          if (next === null) return
          event.preventDefault()
          setPointed(next)
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        <svg className={classes.plot} style={{ height }} aria-hidden>
          {isTall &&
            GRID.map((share) => (
              <line key={share} x1="0" x2="100%" y1={height * share} y2={height * share} stroke="var(--line)" />
            ))}
          {bars.map(({ label, parts, isMuted }, n) => (
            <g key={label} onPointerEnter={() => setPointed(n)}>
              <rect
                x={`${n * step}%`}
                width={`${step}%`}
                height={height}
                fill={pointed === n ? 'var(--hover)' : 'transparent'}
              />
              {parts.map((part, i) => {
                // Nonzero values are always visible.
                const drawn = part === 0 ? 0 : Math.max(2, (part / top) * height)
                const below = (sum(parts.slice(0, i)) / top) * height
                return (
                  <rect
                    key={series[i]!.name}
                    x={`${(n + 0.1) * step}%`}
                    width={`${step * 0.8}%`}
                    y={height - below - drawn}
                    height={drawn}
                    fill={isMuted ? 'var(--line-mid)' : series[i]!.colour}
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
                <span className={classes.swatch} style={{ background: shown.isMuted ? 'var(--line-mid)' : colour }} />
                <span className="grow">{name}</span>
                <span className="num">{formatNumber(shown.parts[i]!)}</span>
              </div>
            ))}
          </div>
        )}
      </div>
      {isTall && (
        <div className={classes.scale} aria-hidden>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{compact.format(value)}</span>
          ))}
        </div>
      )}
      {ticks.length > 0 && (
        <div className={`${classes.times} ${ticks.length > MANY ? classes.many : ''}`} aria-hidden>
          {ticks.map(({ at, name }) => (
            <span key={at} style={{ left: `${(at + 0.5) * step}%` }}>
              {name}
            </span>
          ))}
        </div>
      )}
      {series.length > 1 && (
        <ul className={classes.legend}>
          {series.map(({ name, colour }) => (
            <li key={name}>
              <span className={`${classes.swatch} drawn`} style={{ background: colour }} aria-hidden /> {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The bar that a key leads to; undefined for none, null if the key is not one of a chart. */
function pressed(key: string, at: number, last: number): number | undefined | null {
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  if (key === 'ArrowRight') return Math.min(last, at + 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  return key === 'Escape' ? undefined : null
}

const wordsOf = ({ label, parts }: Bar, series: Props['series']) =>
  `${label}, ${series.map(({ name }, i) => `${name} ${formatNumber(parts[i]!)}`).join(', ')}`

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The next round number whose half is an integer. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = power === 1 ? [2, 4, 6, 8, 10] : [1, 2, 3, 4, 5, 6, 8, 10]
  return steps.map((n) => n * power).find((n) => n >= value) ?? value
}
