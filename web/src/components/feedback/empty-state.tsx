import type { ComponentType, ReactNode } from 'react'
import classes from './empty-state.module.css'

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>

/** Shown in place of an empty list: what will appear here, and an action to create it. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon?: Icon
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={classes.empty} data-empty>
      {Icon && <Icon size={36} stroke={1.25} aria-hidden />}
      <h3>{title}</h3>
      {children && <div className="dim">{children}</div>}
      {action}
    </div>
  )
}
