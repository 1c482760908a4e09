import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../components/data/badge.tsx'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { MakeButton } from '../../../components/layout/make-button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from '../app-page.module.css'
import { AddKey } from './add-key.tsx'
import { type ApiKey, isAdditional, useAppKeys } from './use-app-keys.ts'

const texts = messages.app.keys

/** The app's additional keys: lists, creates and deletes them. */
export function AdditionalKeysPanel({ appId }: { appId: string }) {
  const keys = useAppKeys(appId)
  const [isAdding, setIsAdding] = useState(false)
  const add = (
    <MakeButton isSmall onClick={() => setIsAdding(true)}>
      {texts.add}
    </MakeButton>
  )
  return (
    <Panel flush title={texts.title} actions={add}>
      <QueryResult query={keys}>
        {(found) => {
          const additional = found.filter(isAdditional)
          if (additional.length === 0)
            return (
              <EmptyState title={texts.empty} action={add}>
                {texts.emptyText}
              </EmptyState>
            )
          return (
            <ul className={classes.hooks}>
              {additional.map((key) => (
                <li key={key.id}>
                  <AdditionalKey appId={appId} of={key} />
                </li>
              ))}
            </ul>
          )
        }}
      </QueryResult>
      <AddKey appId={appId} isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Panel>
  )
}

function AdditionalKey({ appId, of: { id, prefix, kind, name, lastUsedAt } }: { appId: string; of: ApiKey }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const deletion = useMutation({
    mutationFn: () => cairn.apps.endKey(appId, id),
    onError: (error) => notifyError(error, texts.notDeleted),
    onSettled: () => queries.invalidateQueries({ queryKey: ['app', appId, 'keys'] }),
  })
  return (
    <Group justify="space-between" gap={8}>
      <div>
        <div className="row">
          <span className="strong">{name}</span> <Badge>{texts.kinds[kind]}</Badge>
        </div>
        <div className="small faint">
          <code>{prefix}</code> ·{' '}
          {lastUsedAt ? (
            <>
              {texts.lastUsed} <RelativeTime at={lastUsedAt} />
            </>
          ) : (
            texts.unused
          )}
        </div>
      </div>
      <Button size="xs" aria-label={texts.deleteOf(name)} onClick={() => setIsAsked(true)}>
        {messages.common.delete}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={texts.deleteTitle(name)}
        verb={texts.doDelete}
        onConfirm={() => deletion.mutate()}
        isBusy={deletion.isPending}
      >
        <p className="dim">{messages.app.key.endText}</p>
      </Confirm>
    </Group>
  )
}
