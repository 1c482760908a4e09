import type { AuditEntry } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'

const short = (id: string) => (id.length > 12 ? `${id.slice(0, 8)}…` : id)

/** The affected record by its name, as a link to its page where there is one. */
export function AuditSubject({ entry }: { entry: AuditEntry }) {
  const { action, subject, subjectName, appId } = entry
  const [kind] = action.split('.')
  const [first = subject, second = first] = subject.split('/')
  const name = subjectName ?? short(kind === 'app_member' ? second : first)
  const style = subjectName ? undefined : 'mono'
  // What is deleted has no page.
  const isGone = action.endsWith('.deleted') && subjectName === null
  if (isGone) return <Plain name={name} subject={subject} />
  if (/^app(_key|_config|_invitation|_member|)$/.test(kind!))
    return (
      <Link to="/apps/$appId" params={{ appId: first }} className={style} title={subject}>
        {name}
      </Link>
    )
  if (kind === 'player' && appId)
    return (
      <Link to="/apps/$appId/players/$playerId" params={{ appId, playerId: first }} className={style} title={subject}>
        {name}
      </Link>
    )
  if ((kind === 'game_session' || kind === 'score') && appId)
    return (
      <Link
        to="/apps/$appId/sessions/$sessionId"
        params={{ appId, sessionId: first }}
        className={style}
        title={subject}
      >
        {name}
      </Link>
    )
  if (kind === 'user' || kind === 'account')
    return (
      <Link to="/users/$userId" params={{ userId: first }} className={style} title={subject}>
        {name}
      </Link>
    )
  if (kind === 'pin' || kind === 'gcp' || kind === 'zone')
    return (
      <Link to="/map" search={{ select: `${kind}:${first}` }} className={style} title={subject}>
        {name}
      </Link>
    )
  if (kind === 'import')
    return (
      <Link to="/import/$uploadId" params={{ uploadId: first }} className={style} title={subject}>
        {name}
      </Link>
    )
  if (kind === 'scan')
    return (
      <Link to="/scans/$scanId" params={{ scanId: first }} className={style} title={subject}>
        {name}
      </Link>
    )
  return <Plain name={name} subject={subject} />
}

const Plain = ({ name, subject }: { name: string; subject: string }) => (
  <span className="mono dim" title={subject}>
    {name}
  </span>
)
