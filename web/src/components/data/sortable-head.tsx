import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import classes from './sortable-head.module.css'

type Props = {
  children: string
  /** The name of the column in `sort`. */
  name: string
  /** The column that the table is sorted by, with a leading `-` if descending. */
  sort: string
  onSort: (sort: string) => void
  /** The first press sorts descending: for figures and times. */
  isDescendingFirst?: boolean
  className?: string
}

/** A column head that sorts its table. Another press turns the order around. */
export function SortableHead({ children, name, sort, onSort, isDescendingFirst = false, className }: Props) {
  const isSorted = sort.replace('-', '') === name
  const isDescending = sort.startsWith('-')
  const next = isSorted ? (isDescending ? name : `-${name}`) : isDescendingFirst ? `-${name}` : name
  const Icon = isDescending ? IconArrowDown : IconArrowUp
  return (
    <th className={className} aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        className={`${classes.button} ${isSorted ? classes.sorted : ''}`}
        onClick={() => onSort(next)}
      >
        {children}
        {isSorted && <Icon size={12} aria-hidden />}
      </button>
    </th>
  )
}
