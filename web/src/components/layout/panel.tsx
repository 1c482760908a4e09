import type { ReactNode } from 'react'
import classes from './panel.module.css'

type Props = {
  title?: string
  /** Secondary content beside the title, such as a badge or a period. */
  beside?: ReactNode
  actions?: ReactNode
  /** Removes the padding, for tables and lists. */
  flush?: boolean
  children: ReactNode
  className?: string
}

/** A bordered section with a heading. */
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
