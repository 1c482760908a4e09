import type { WebhookAttempt, WebhookDeliveryDetail } from '@cairn/sdk'
import { Button, Drawer } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CodeBlock } from '../../../components/copy/code-block.tsx'
import { CopyableId } from '../../../components/copy/copy-button.tsx'
import { Badge } from '../../../components/data/badge.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import classes from './webhooks.module.css'

const texts = messages.app.deliveries
type Props = { appId: string; hookId: string; deliveryId: string | undefined; onClose: () => void }

/** One delivery: payload, attempts and redelivery. */
export function DeliveryDrawer({ appId, hookId, deliveryId, onClose }: Props) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const delivery = useQuery({
    queryKey: ['deliveries', hookId, 'one', deliveryId],
    queryFn: ({ signal }) => cairn.webhooks.delivery(appId, hookId, deliveryId!, { signal }),
    enabled: deliveryId !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? 3000 : false),
  })
  const redelivery = useMutation({
    mutationFn: () => cairn.webhooks.redeliver(appId, hookId, deliveryId!),
    onSuccess: async () => {
      notifySuccess(delivery.data?.status === 'PENDING' ? texts.sentNow : texts.again)
      await queries.invalidateQueries({ queryKey: ['deliveries', hookId] })
    },
    onError: (error) => notifyError(error),
  })
  return (
    <Drawer
      opened={deliveryId !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={delivery.data ? texts.open(delivery.data.eventType) : texts.title}
    >
      <QueryResult query={delivery}>
        {(found) => (
          <div className="stack">
            <Found delivery={found} />
            <div>
              <Button
                leftSection={<IconRepeat size={16} aria-hidden />}
                loading={redelivery.isPending}
                onClick={() => redelivery.mutate()}
              >
                {found.status === 'PENDING' ? texts.sendNow : texts.redeliver}
              </Button>
            </div>
            <h3>{texts.payload}</h3>
            <CodeBlock what={texts.payload} text={JSON.stringify(found.payload, null, 2)} />
            <h3>{texts.attempts}</h3>
            {found.log.length === 0 && <p className="dim">{texts.noAttempt}</p>}
            <ol className={classes.log}>
              {found.log.map((attempt, n) => (
                <Attempt key={attempt.at} attempt={attempt} number={found.attempts - found.log.length + n + 1} />
              ))}
            </ol>
          </div>
        )}
      </QueryResult>
    </Drawer>
  )
}

const Found = ({ delivery }: { delivery: WebhookDeliveryDetail }) => (
  <Facts
    facts={{
      [texts.columns.status]: <DeliveryStatus status={delivery.status} />,
      [texts.columns.at]: <RelativeTime at={delivery.createdAt} />,
      [texts.next]: delivery.nextAttemptAt ? <RelativeTime at={delivery.nextAttemptAt} /> : undefined,
      [texts.settled]: delivery.settledAt ? <RelativeTime at={delivery.settledAt} /> : undefined,
      [texts.subject]: <CopyableId value={delivery.subject} />,
      'webhook-id': <CopyableId value={delivery.id} />,
    }}
  />
)

function Attempt({
  attempt: { at, status, durationMs, answer, error },
  number,
}: {
  attempt: WebhookAttempt
  number: number
}) {
  const ms = formatNumber(durationMs)
  const isTaken = status !== null && status >= 200 && status < 300
  return (
    <li>
      <div className="row wrap">
        <Badge tone={isTaken ? 'ok' : 'err'}>{texts.attempt(number)}</Badge>
        <span className="dim">{status === null ? texts.notAnswered(ms) : texts.answered(status, ms)}</span>
        <span className="faint">
          <RelativeTime at={at} />
        </span>
      </div>
      {error && <span className="dim">{error}</span>}
      {answer && <code className="small">{answer}</code>}
    </li>
  )
}
