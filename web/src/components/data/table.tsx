import { type HTMLAttributes, type MouseEvent, type ReactNode, type TableHTMLAttributes, useRef } from 'react'
import classes from './table.module.css'

/** In pixels: a hand that clicks moves the pointer less. */
const DRAG = 5

/**
 * A table. Classes of its cells: `num` for numbers, `wide-only` for columns hidden on phones, `roomy-only` for columns
 * hidden where the table is narrower than 46rem. There, `tight-only` shows what those columns contain, and `wrapped`
 * breaks dates and long words.
 */
export function Table({
  label,
  children,
  ...rest
}: { label: string; children: ReactNode } & TableHTMLAttributes<HTMLTableElement>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
    <div role="group" className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table} aria-label={label} {...rest}>
        {children}
      </table>
    </div>
  )
}

type RowProps = { onOpen: () => void } & HTMLAttributes<HTMLTableRowElement>

/** A row that opens on a click anywhere in it. It is not focusable: something in it opens it by keyboard. */
export function ClickableRow({ onOpen, className = '', ...rest }: RowProps) {
  const pressedAt = useRef({ x: 0, y: 0 })
  /** Not for a link or a button in the row, nor the end of a drag that selects text. */
  const isOfRow = ({ target, clientX, clientY }: MouseEvent) =>
    !(target as Element).closest('a, button, input, label') &&
    Math.hypot(clientX - pressedAt.current.x, clientY - pressedAt.current.y) < DRAG
  return (
    <tr
      className={`${classes.openable} ${className}`}
      onMouseDown={({ clientX, clientY }) => {
        pressedAt.current = { x: clientX, y: clientY }
      }}
      onClick={(event) => {
        if (isOfRow(event)) onOpen()
      }}
      {...rest}
    />
  )
}

/** A row that opens on a click anywhere in it, and that can be focused and opens on Enter. */
export const OpenableRow = ({ onOpen, ...rest }: RowProps) => (
  <ClickableRow
    data-row
    tabIndex={0}
    onOpen={onOpen}
    onKeyDown={({ key, target, currentTarget }) => {
      if (key === 'Enter' && target === currentTarget) onOpen()
    }}
    {...rest}
  />
)

/** The footer of a list. */
export const TableFoot = ({ children }: { children: ReactNode }) => <div className={classes.foot}>{children}</div>
