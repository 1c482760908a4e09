import type { Webhook } from '@cairn/sdk'
import { Button, Switch } from '@mantine/core'
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyableId } from '../../../components/copy/copy-button.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { WebhookSecretPanel } from './webhook-secret.tsx'
import { stripProtocol, WebhookStatus } from './webhook-status.tsx'
import classes from './webhooks.module.css'

const texts = messages.app.hooks
type Props = { appId: string; hook: Webhook; onDeleted: () => void }

/** One webhook: details, secret and actions. */
export function WebhookPanel({ appId, hook, onDeleted }: Props) {
  return (
    <Panel title={stripProtocol(hook.url)} beside={<WebhookStatus hook={hook} />}>
      <div className="stack">
        {hook.disabledReason && (
          <Notice tone="err" title={texts.disabled(hook.disabledReason)}>
            {texts.disabledText}
          </Notice>
        )}
        {hook.enabled && hook.failingSince && <Notice tone="warn">{texts.failing}</Notice>}
        <Actions appId={appId} hook={hook} onDeleted={onDeleted} />
        <Facts
          facts={{
            [texts.address]: <span className="mono">{hook.url}</span>,
            [texts.description]: hook.description ?? undefined,
            [texts.eventTypes]: (
              <span className={classes.events}>
                {hook.eventTypes.map((type) => (
                  <code key={type}>{type}</code>
                ))}
              </span>
            ),
            [texts.secretLabel]: <WebhookSecretPanel appId={appId} hookId={hook.id} />,
            [texts.made]: <RelativeTime at={hook.createdAt} />,
            [messages.app.glance.id]: <CopyableId value={hook.id} />,
          }}
        />
      </div>
    </Panel>
  )
}

function Actions({ appId, hook, onDeleted }: Props) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['hooks', appId] }),
      queries.invalidateQueries({ queryKey: ['deliveries', hook.id] }),
    ])
  const enabling = useMutation({
    mutationFn: (enabled: boolean) => cairn.webhooks.update(appId, hook.id, { enabled }),
    onSuccess: refresh,
    onError: (error) => notifyError(error),
  })
  const test = useMutation({
    mutationFn: () => cairn.webhooks.test(appId, hook.id),
    onSuccess: async () => {
      notifySuccess(texts.tested)
      await refresh()
    },
    onError: (error) => notifyError(error),
  })
  const deletion = useMutation({
    mutationFn: () => cairn.webhooks.delete(appId, hook.id),
    onSuccess: async () => {
      notifySuccess(texts.deleted)
      onDeleted()
      await refresh()
    },
    onError: (error) => notifyError(error),
  })
  return (
    <div className={classes.buttons}>
      <Switch
        label={texts.enabled}
        checked={hook.enabled}
        disabled={enabling.isPending}
        onChange={({ currentTarget: { checked } }) => enabling.mutate(checked)}
      />
      <Button
        size="xs"
        leftSection={<IconSend size={14} aria-hidden />}
        disabled={!hook.enabled}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {texts.test}
      </Button>
      <Button size="xs" leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setOpen('edit')}>
        {texts.edit}
      </Button>
      <Button size="xs" leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setOpen('delete')}>
        {texts.delete}
      </Button>
      <EditWebhook appId={appId} hook={hook} isOpen={open === 'edit'} onClose={() => setOpen(undefined)} />
      <Confirm
        isOpen={open === 'delete'}
        onClose={() => setOpen(undefined)}
        title={texts.deleteQuestion}
        verb={texts.deleteVerb}
        onConfirm={() => deletion.mutate()}
        isBusy={deletion.isPending}
      >
        <p className="dim">{texts.deleteText(stripProtocol(hook.url))}</p>
      </Confirm>
    </div>
  )
}
