import type { Zone } from '@cairn/sdk'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import { keyOf, type Selection } from '../url-state.ts'
import classes from './list.module.css'
import { SpotIcon } from './spot-icon.tsx'

const texts = messages.map.zones

type Props = { zones: Zone[]; selection: Selection | null; onSelect: (selection: Selection) => void }

/** The zones in view, and those without a boundary. */
export function ZoneList({ zones, selection, onSelect }: Props) {
  if (zones.length === 0) return null
  const selected = selection ? keyOf(selection) : null
  return (
    <section className={classes.list} aria-label={texts.label}>
      <h3 className={classes.listHead}>{texts.inView(formatNumber(zones.length))}</h3>
      <ul>
        {zones.map(({ id, title, boundary }) => {
          const selection = { kind: 'zone' as const, id: String(id) }
          return (
            <li key={id}>
              <button
                type="button"
                data-row
                className={classes.row}
                aria-current={keyOf(selection) === selected}
                onClick={() => onSelect(selection)}
              >
                <SpotIcon kind="zone" />
                <span className="grow truncate">{title}</span>
                {!boundary && <span className="faint">{texts.noBoundary}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
