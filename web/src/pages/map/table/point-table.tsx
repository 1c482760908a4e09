import { Checkbox } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { formatAccuracy, formatCoordinates, formatMetres } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { SortableHead } from '../../../components/data/sortable-head.tsx'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import { SpotIcon } from '../list/spot-icon.tsx'
import { keyOf } from '../url-state.ts'
import { Owner } from './owner.tsx'
import { kindOf, type Point } from './points.ts'
import classes from './table.module.css'
import type { Column, Sort } from './table-search.ts'
import type { PointSelection } from './use-point-selection.ts'

const texts = messages.map.table
const SORTED: { name: Column; className?: string; isDescendingFirst?: true }[] = [
  { name: 'title' },
  { name: 'kind', className: 'wide-only' },
  { name: 'tag', className: 'wide-only num' },
  { name: 'zone', className: 'wide-only' },
]
const MEASURED: typeof SORTED = [
  { name: 'height', className: 'wide-only num', isDescendingFirst: true },
  { name: 'accuracy', className: 'wide-only num' },
  { name: 'distance', className: 'num' },
  { name: 'updated', className: 'wide-only', isDescendingFirst: true },
]

type Props = {
  /** The rows of the page. */
  points: Point[]
  sort: Sort
  onSort: (sort: Sort) => void
  /** Whether any of the points has an accuracy: without one, the column is left out. */
  hasAccuracy: boolean
  selection: PointSelection
  /** The key of the point that is open beside the map. */
  open: string | null
  onOpen: (point: Point) => void
}

/** Pins and control points, a row each. The arrow keys walk the checkboxes and the titles; Shift selects what is between. */
export function PointTable({ points, sort, onSort, hasAccuracy, selection, open, onOpen }: Props) {
  const on = points.filter(selection.isSelected).length
  const togglePage = () => {
    const others = selection.selected.filter((point) => !points.includes(point))
    selection.setAll(on === points.length ? others : [...others, ...points])
  }
  const heads = (columns: typeof SORTED) =>
    columns.map(({ name, ...more }) => (
      <SortableHead key={name} name={name} sort={sort} onSort={(next) => onSort(next as Sort)} {...more}>
        {texts.columns[name]}
      </SortableHead>
    ))
  return (
    <Table label={texts.label}>
      <thead>
        <tr>
          <th className={classes.check}>
            <Checkbox
              aria-label={texts.selectPage}
              checked={on > 0 && on === points.length}
              indeterminate={on > 0 && on < points.length}
              onChange={togglePage}
            />
          </th>
          {heads(SORTED)}
          <th className="wide-only">{texts.columns.owner}</th>
          <th className="wide-only">{texts.columns.visibility}</th>
          <th className="wide-only num">{texts.columns.place}</th>
          {heads(MEASURED.filter(({ name }) => hasAccuracy || name !== 'accuracy'))}
        </tr>
      </thead>
      <tbody onKeyDown={walk}>
        {points.map((point) => (
          <tr key={keyOf(point)} aria-selected={selection.isSelected(point)}>
            <td>
              <Checkbox
                data-walk="check"
                aria-label={texts.select(point.title)}
                checked={selection.isSelected(point)}
                onChange={({ nativeEvent }) => selection.toggle(point, (nativeEvent as MouseEvent).shiftKey)}
              />
            </td>
            <td className={classes.title}>
              <span className="row">
                <SpotIcon kind={point.kind} tag={point.tag} />
                <button
                  type="button"
                  data-row
                  data-walk="title"
                  className="truncate"
                  aria-current={keyOf(point) === open}
                  onClick={() => onOpen(point)}
                >
                  {point.title}
                </button>
              </span>
              <span className="narrow-only faint small">
                {[kindOf(point), point.zone?.title].filter(Boolean).join(' · ')}
              </span>
            </td>
            <td className="wide-only dim">{kindOf(point)}</td>
            <td className="wide-only num dim">{point.tag ?? '–'}</td>
            <td className={`wide-only dim ${classes.zone}`}>{point.zone?.title ?? '–'}</td>
            <td className="wide-only dim">
              <Owner id={point.ownerId} />
            </td>
            <td className="wide-only dim">{messages.map.visibilities[point.visibility ?? 'public']}</td>
            <td className="wide-only num mono">{formatCoordinates(point.lat, point.lon)}</td>
            <td className="wide-only num">{point.height === null ? '–' : formatMetres(point.height)}</td>
            {hasAccuracy && (
              <td className="wide-only num">{point.accuracy === null ? '–' : formatAccuracy(point.accuracy)}</td>
            )}
            <td className="num">{formatMetres(point.distance)}</td>
            <td className="wide-only dim">
              <RelativeTime at={point.updatedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** Moves the focus to the same control of the next or the previous row, or of the first or the last. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const control = (event.target as HTMLElement).closest<HTMLElement>('[data-walk]')
  if (!control) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-walk="${control.dataset.walk}"]`)]
  const at = all.indexOf(control)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
  if (to === undefined || !all[to]) return
  event.preventDefault()
  all[to].focus()
}
