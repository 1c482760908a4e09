import type { Webhook } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { OpenableRow, Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import { stripProtocol, WebhookStatus } from './webhook-status.tsx'
import classes from './webhooks.module.css'

const texts = messages.app.hooks
type Props = { hooks: Webhook[]; chosen: string | undefined; onChoose: (id: string) => void }

/** All webhooks of the app. */
export function WebhookList({ hooks, chosen, onChoose }: Props) {
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          <th>{texts.columns.address}</th>
          <th>{texts.columns.state}</th>
          <th className="wide-only">{texts.columns.events}</th>
        </tr>
      </thead>
      <tbody>
        {hooks.map((hook) => (
          <OpenableRow
            key={hook.id}
            className={hook.id === chosen ? classes.chosen : undefined}
            onOpen={() => onChoose(hook.id)}
          >
            <td className={classes.address}>
              <Link
                to="."
                search={{ hook: hook.id } as never}
                aria-current={hook.id === chosen ? 'true' : undefined}
                className="mono"
              >
                {stripProtocol(hook.url)}
              </Link>
              {hook.description && <div className="small faint truncate">{hook.description}</div>}
            </td>
            <td>
              <WebhookStatus hook={hook} />
            </td>
            <td className="wide-only dim">{texts.events(hook.eventTypes.length)}</td>
          </OpenableRow>
        ))}
      </tbody>
    </Table>
  )
}
