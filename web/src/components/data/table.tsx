import type { ReactNode, TableHTMLAttributes } from 'react'
import classes from './table.module.css'

/** A table with the console's rows. Cells of figures have the class `num`; columns that phones do without `wide-only`. Rows that can be opened are `<tr data-row tabIndex={0}>`. */
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

/** Below a list: how many there are, and the way to more. */
export const TableFoot = ({ children }: { children: ReactNode }) => <div className={classes.foot}>{children}</div>
