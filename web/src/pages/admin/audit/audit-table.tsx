import type { AuditEntry } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import classes from './audit.module.css'
import { AuditSubject } from './audit-subject.tsx'
import { AuditChanges, actionName, auditActor } from './audit-words.tsx'

const texts = messages.admin.audit

/** Audit log entries. @param isOfOne all are of one user, who is not named again */
export function AuditTable({ entries, label, isOfOne }: { entries: AuditEntry[]; label: string; isOfOne?: boolean }) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th>{texts.at}</th>
          {!isOfOne && <th>{texts.actor}</th>}
          <th>{texts.action}</th>
          <th className="roomy-only">{texts.subject}</th>
          <th className="roomy-only">{texts.changes}</th>
          <th className="wide-only">{texts.address}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="dim">
              <RelativeTime at={entry.at} />
            </td>
            {!isOfOne && (
              <td>
                <Actor actor={entry.actor} name={entry.actorName} />
              </td>
            )}
            <td>
              {actionName(entry.action)}
              <div className={`tight-only small ${classes.subject}`}>
                <AuditSubject entry={entry} />
                {entry.changes && (
                  <div className="dim">
                    <AuditChanges changes={entry.changes} />
                  </div>
                )}
              </div>
            </td>
            <td className={`roomy-only ${classes.subject}`}>
              <AuditSubject entry={entry} />
            </td>
            <td className="roomy-only dim">{entry.changes ? <AuditChanges changes={entry.changes} /> : '–'}</td>
            <td className="wide-only mono dim">{entry.address ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Actor({ actor, name }: { actor: string; name: string | null }) {
  if (actor === 'operator' || actor === 'service') return <span className="dim">{auditActor(actor, name)}</span>
  if (actor.startsWith('app:'))
    return (
      <Link to="/apps/$appId" params={{ appId: actor.slice('app:'.length) }}>
        {auditActor(actor, name)}
      </Link>
    )
  return (
    <Link to="/users/$userId" params={{ userId: actor }} className={name ? undefined : 'mono'}>
      {auditActor(actor, name)}
    </Link>
  )
}
