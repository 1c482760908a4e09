import type { ReactNode } from 'react'
import classes from './panel.module.css'

type Props = {
  title?: string
  /** Beside the title, in a quieter voice: a badge, a period. */
  beside?: ReactNode
  actions?: ReactNode
  /** Without the padding: for tables and lists. */
  flush?: boolean
  children: ReactNode
  className?: string
}

/** A surface with a line around it, and a heading. */
export function Panel({ title, beside, actions, flush, children, className }: Props) {
  return (
    <section className={`${classes.panel} ${className ?? ''}`} aria-label={title}>
      {title && (
        <header className={classes.head}>
          <h2>{title}</h2>
          {beside && <span className="faint row">{beside}</span>}
          {actions && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  )
}
