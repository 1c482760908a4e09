import type { AuditEntry } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { linkOfSubject } from './audit-link.ts'

const short = (id: string) => (id.length > 12 ? `${id.slice(0, 8)}…` : id)

/** The affected record by its name, as a link to its page where there is one. */
export function AuditSubject({ entry }: { entry: AuditEntry }) {
  const { action, subject, subjectName } = entry
  const [kind] = action.split('.')
  const [first = subject, second = first] = subject.split('/')
  const name = subjectName ?? short(kind === 'app_member' ? second : first)
  const style = subjectName === null ? 'mono' : undefined
  // Anyone can open a shared map, outside the console.
  if (kind === 'shared_map' && subjectName !== null)
    return (
      <a href={`/m/${subject}`} title={subject}>
        {name}
      </a>
    )
  const link = linkOfSubject(entry)
  return link ? (
    <Link {...link} className={style} title={subject}>
      {name}
    </Link>
  ) : (
    <span className={`${style ?? ''} dim`} title={subject}>
      {name}
    </span>
  )
}
