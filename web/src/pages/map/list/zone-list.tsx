import type { Zone } from '@cairn/sdk'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import { type Choice, nameOf } from '../url-state.ts'
import classes from './list.module.css'
import { SpotMark } from './spot-icon.tsx'

const texts = messages.map.zones

type Props = { zones: Zone[]; choice: Choice | null; onChoose: (choice: Choice) => void }

/** The zones in view, and those that have no boundary yet. */
export function ZoneList({ zones, choice, onChoose }: Props) {
  if (zones.length === 0) return null
  const chosen = choice ? nameOf(choice) : null
  return (
    <section className={classes.list} aria-label={texts.label}>
      <h3 className={classes.listHead}>{texts.inView(formatNumber(zones.length))}</h3>
      <ul>
        {zones.map(({ id, title, boundary }) => {
          const choice = { kind: 'zone' as const, id: String(id) }
          return (
            <li key={id}>
              <button
                type="button"
                data-row
                className={classes.row}
                aria-current={nameOf(choice) === chosen}
                onClick={() => onChoose(choice)}
              >
                <SpotMark kind="zone" />
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
