import type { AuditEntry } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import classes from './audit.module.css'
import { AuditSubject } from './audit-subject.tsx'

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
          <th className="wide-only">{texts.changes}</th>
          <th className="wide-only">{texts.address}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="dim">
              <RelativeTime at={entry.at} />
            </td>
            <td>
              <Actor actor={entry.actor} name={entry.actorName} />
            </td>
            <td>
              {actionName(entry.action)}
              <div className={`narrow-only small ${classes.subject}`}>
                <AuditSubject entry={entry} />
                {entry.changes && (
                  <div className="dim">
                    <Changes changes={entry.changes} />
                  </div>
                )}
              </div>
            </td>
            <td className={`wide-only ${classes.subject}`}>
              <AuditSubject entry={entry} />
            </td>
            <td className="wide-only dim">{entry.changes ? <Changes changes={entry.changes} /> : '–'}</td>
            <td className="wide-only mono dim">{entry.address ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** An action in words; one that this console does not know as it is. */
export const actionName = (action: string): string => texts.actions[action] ?? action

const Changes = ({ changes }: { changes: NonNullable<AuditEntry['changes']> }) => (
  <>
    {Object.entries(changes).map(([name, { from, to }]) => (
      <div key={name}>{texts.change(texts.names[name] ?? name, shown(from), shown(to))}</div>
    ))}
  </>
)

const shown = (value: string | number | boolean | null): string =>
  value === null ? texts.nothing : typeof value === 'number' ? formatNumber(value) : String(value)

function Actor({ actor, name }: { actor: string; name: string | null }) {
  if (actor === 'operator') return <span className="dim">{texts.operator}</span>
  if (actor === 'service') return <span className="dim">{texts.service}</span>
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
