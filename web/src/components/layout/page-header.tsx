import { type ReactNode, useEffect } from 'react'
import { messages } from '../../messages/index.ts'
import { type Breadcrumb, setBreadcrumbs } from '../../shell/breadcrumbs.ts'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** Badges beside the title. */
  beside?: ReactNode
  sub?: ReactNode
  /** At most one filled button. */
  actions?: ReactNode
  /** The parents of this page. The title is appended. */
  breadcrumbs?: Breadcrumb[]
  /** For pages that share a title: this page's name, and the path of the page with the title. */
  part?: { name: string; of: string }
}

/** The h1 of a page, its actions, the breadcrumbs and the document title. */
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

/** The content area of every page except the map, which has no padding. */
export const PageBody = ({ children }: { children: ReactNode }) => <div className={classes.page}>{children}</div>
