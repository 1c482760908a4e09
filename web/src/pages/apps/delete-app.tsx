import type { App, AppContents } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyError, notifySuccess } from '../../components/feedback/notify.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import classes from './app-page.module.css'

const texts = messages.app.settings

/** Deletes an app after its name is typed. Shows what is deleted with it. */
export function DeleteApp({ app }: { app: App }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const contents = useQuery({
    queryKey: ['app', app.id, 'contents'],
    queryFn: ({ signal }) => cairn.apps.contents(app.id, { signal }),
    enabled: isOpen,
    gcTime: 0,
  })
  const deletion = useMutation({
    mutationFn: () => cairn.apps.delete(app.id, app.name),
    onSuccess: async () => {
      notifySuccess(texts.deleted(app.name))
      await navigate({ to: '/apps' })
      queries.removeQueries({ queryKey: ['app', app.id] })
      await queries.invalidateQueries({ queryKey: ['apps'] })
    },
    onError: (error) => notifyError(error),
  })
  return (
    <Panel title={texts.deleteTitle}>
      <div className={classes.danger}>
        <span className="dim grow">{texts.deleteText}</span>
        <Button color="red" variant="outline" onClick={() => setIsOpen(true)}>
          {texts.delete}
        </Button>
      </div>
      <Confirm
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={texts.deleteQuestion(app.name)}
        verb={texts.deleteVerb(app.name)}
        typeName={app.name}
        onConfirm={() => deletion.mutate()}
        isBusy={deletion.isPending}
      >
        <QueryResult query={contents} rows={1}>
          {(counts) => <p>{texts.deleteCounts(partsOf(counts))}</p>}
        </QueryResult>
      </Confirm>
    </Panel>
  )
}

/** The nonzero counts of an app's contents, in words. */
const partsOf = (counts: AppContents): string[] =>
  (Object.keys(texts.deleteParts) as (keyof AppContents)[])
    .filter((part) => counts[part] > 0)
    .map((part) => texts.deleteParts[part](counts[part], formatNumber(counts[part])))
