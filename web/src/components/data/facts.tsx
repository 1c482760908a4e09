import { Fragment, type ReactNode } from 'react'
import classes from './facts.module.css'

/** A description list. Undefined values are omitted. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className={classes.facts}>
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
