import { Fragment, type ReactNode } from 'react'
import classes from './facts.module.css'

/** Names and what they are, in two columns. What is undefined is left out. */
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
