import { type ReactNode, useEffect } from 'react'
import { messages } from '../../messages/index.ts'
import classes from './guide.module.css'

/** The layout of one step: title, introduction, content and actions. */
export function StepPage({
  title,
  lead,
  children,
  actions,
}: {
  title: string
  lead: string
  children?: ReactNode
  actions?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · ${messages.shell.product}`
  }, [title])
  return (
    <>
      <h1>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      <div className={classes.body}>{children}</div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </>
  )
}
