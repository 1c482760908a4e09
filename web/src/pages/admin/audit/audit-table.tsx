import type { AuditEntry } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { messages } from '../../messages/index.ts'
import classes from './audit.module.css'

const texts = messages.admin.audit

/** Audit log entries. */
export function AuditTable({ entries, label }: { entries: AuditEntry[]; label: string }) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th>{texts.at}</th>
          <th>{texts.actor}</th>
          <th>{texts.action}</th>
          <th className="wide-only">{texts.subject}</th>
          <th className="wide-only">{texts.address}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, actor, actorName, action, subject, address }) => (
          <tr key={id}>
            <td className="dim">
              <RelativeTime at={at} />
            </td>
            <td>
              <Actor actor={actor} name={actorName} />
            </td>
            <td className="mono">
              {action}
              <div className={`narrow-only faint small truncate ${classes.subject}`}>{subject}</div>
            </td>
            <td className="wide-only mono dim">{subject}</td>
            <td className="wide-only mono dim">{address ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Actor({ actor, name }: { actor: string; name: string | null }) {
  if (actor === 'operator') return <span className="dim">{texts.operator}</span>
  if (actor.startsWith('app:'))
    return (
      <Link to="/apps/$appId" params={{ appId: actor.slice('app:'.length) }}>
        {texts.app}
      </Link>
    )
  return (
    <Link to="/users/$userId" params={{ userId: actor }} className={name ? undefined : 'mono'}>
      {name ?? `${actor.slice(0, 8)}…`}
    </Link>
  )
}
