import { Checkbox } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { SortableHead } from '../../../components/data/sortable-head.tsx'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import { keyOf } from '../url-state.ts'
import { PointRow } from './point-row.tsx'
import type { Point } from './points.ts'
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
  { name: 'height', className: 'roomy-only num', isDescendingFirst: true },
  { name: 'accuracy', className: 'roomy-only num' },
  { name: 'distance', className: 'num' },
  { name: 'updated', className: 'roomy-only', isDescendingFirst: true },
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
  /** Must be stable, as `toggle` of the selection. */
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
          <th className={classes.aside}>{texts.columns.owner}</th>
          <th className={classes.aside}>{texts.columns.visibility}</th>
          <th className={`num ${classes.aside}`}>{texts.columns.place}</th>
          {heads(MEASURED.filter(({ name }) => hasAccuracy || name !== 'accuracy'))}
        </tr>
      </thead>
      <tbody onKeyDown={walk}>
        {points.map((point) => (
          <PointRow
            key={keyOf(point)}
            point={point}
            isSelected={selection.isSelected(point)}
            isOpen={keyOf(point) === open}
            hasAccuracy={hasAccuracy}
            onToggle={selection.toggle}
            onOpen={onOpen}
          />
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
