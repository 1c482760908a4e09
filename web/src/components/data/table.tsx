import type { HTMLAttributes, ReactNode, TableHTMLAttributes } from 'react'
import classes from './table.module.css'

/** A table. Use the class `num` for numeric cells and `wide-only` for columns hidden on phones. */
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

/** A row that can be focused and opens on Enter. */
export const OpenableRow = ({ onOpen, ...rest }: { onOpen: () => void } & HTMLAttributes<HTMLTableRowElement>) => (
  <tr
    data-row
    tabIndex={0}
    onKeyDown={({ key, target, currentTarget }) => {
      if (key === 'Enter' && target === currentTarget) onOpen()
    }}
    {...rest}
  />
)

/** The footer of a list. */
export const TableFoot = ({ children }: { children: ReactNode }) => <div className={classes.foot}>{children}</div>
