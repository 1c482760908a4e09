import { type ReactNode, useEffect } from 'react'
import { messages } from '../../messages/index.ts'
import { type Breadcrumb, setBreadcrumbs } from '../../shell/breadcrumbs.ts'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** Beside the title: badges. */
  beside?: ReactNode
  sub?: ReactNode
  /** Buttons, one of them filled at most. */
  actions?: ReactNode
  /** What leads to this page; the title is added. */
  breadcrumbs?: Breadcrumb[]
  /** Where the title is that of several pages: this one's name, and the address of what has the title. */
  part?: { name: string; of: string }
}

/** The one h1 of a page, what can be done here, and what the bar says of where one is. */
export function PageHeader({ title, beside, sub, actions, breadcrumbs = [], part }: Props) {
  const key = JSON.stringify([breadcrumbs, part])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all there is to the breadcrumbs
  useEffect(() => {
    setBreadcrumbs(
      part ? [...breadcrumbs, { name: title, to: part.of }, { name: part.name }] : [...breadcrumbs, { name: title }],
    )
    document.title = [part?.name, title, messages.shell.product].filter(Boolean).join(' · ')
  }, [title, key])
  return (
    <div className={classes.head}>
      <div>
        <div className="row wrap">
          <h1>{title}</h1>
          {beside}
        </div>
        {sub && <div className={classes.sub}>{sub}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}

/** What is inside of the work surface, but for the map, which fills it. */
export const PageBody = ({ children }: { children: ReactNode }) => <div className={classes.page}>{children}</div>
