import type { App } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SecretField } from '../../../components/copy/secret-field.tsx'
import { Badge } from '../../../components/data/badge.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { currentLocale } from '../../../language/language.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn, useRoles } from '../../../session/session.tsx'
import { useReadKey } from '../../../session/use-app.tsx'
import classes from '../app-page.module.css'
import { RotateKey } from './rotate-key.tsx'
import { type ApiKey, useAppKeys } from './use-app-keys.ts'

const texts = messages.app.key

/** The current API key, its last use, and previous keys that still work. */
export function KeyPanel({ app }: { app: App }) {
  const { isAdmin } = useRoles()
  const [isRotating, setIsRotating] = useState(false)
  const readKey = useReadKey(app.id)
  const keys = useAppKeys(app.id)
  const current = keys.data?.find(({ isCurrent }) => isCurrent)
  return (
    <Panel
      title={texts.title}
      beside={current && (current.lastUsedAt ? <Badge tone="ok">{texts.inUse}</Badge> : <Badge>{texts.unused}</Badge>)}
      actions={
        <>
          {isAdmin && (
            <Link to="/audit" search={{ subject: app.id }} className={`row ${classes.add}`}>
              <IconHistory size={14} aria-hidden /> {texts.log}
            </Link>
          )}
          <Button size="xs" leftSection={<IconRefresh size={14} aria-hidden />} onClick={() => setIsRotating(true)}>
            {texts.rotate}
          </Button>
        </>
      }
    >
      <div className="stack">
        <SecretField key={app.apiKey} value={app.apiKey} what={texts.what} reveal={readKey} />
        <p className="dim">
          {current && !current.lastUsedAt && texts.never}
          {current?.lastUsedAt && (
            <>
              {texts.lastUsed} <RelativeTime at={current.lastUsedAt} />.
            </>
          )}{' '}
          {texts.sentAs} <code>x-app-api-key</code>. {texts.audited}
        </p>
        {keys.error && <Failure error={keys.error} onRetry={() => void keys.refetch()} />}
        {keys.data
          ?.filter(({ isCurrent, endsAt }) => !isCurrent && endsAt !== null)
          .map((key) => (
            <OldKey key={key.id} appId={app.id} old={key} />
          ))}
      </div>
      <RotateKey app={app} isOpen={isRotating} onClose={() => setIsRotating(false)} />
    </Panel>
  )
}

function OldKey({ appId, old: { id, prefix, endsAt, callsLastHour } }: { appId: string; old: ApiKey }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const end = useMutation({
    mutationFn: () => cairn.apps.endKey(appId, id),
    onError: (error) => notifyError(error, texts.notEnded),
    onSettled: () => queries.invalidateQueries({ queryKey: ['app', appId, 'keys'] }),
  })
  const until = new Date(endsAt!).toLocaleString(currentLocale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (
    <Notice
      tone="warn"
      title={texts.old(prefix, until)}
      actions={
        <Button size="xs" onClick={() => setIsAsked(true)}>
          {texts.end}
        </Button>
      }
    >
      {texts.oldCalls(callsLastHour, formatNumber(callsLastHour))}
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={texts.endTitle(prefix)}
        verb={texts.doEnd}
        onConfirm={() => end.mutate()}
        isBusy={end.isPending}
      >
        <p className="dim">
          {texts.endText} {texts.oldCalls(callsLastHour, formatNumber(callsLastHour))}
        </p>
      </Confirm>
    </Notice>
  )
}
