import type { BoxJob } from '@cairn/sdk'
import { Button, SegmentedControl } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { COUNT_LIMIT } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { notifyError, notifySuccess } from '../../components/feedback/notify.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../components/query/paged-list.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'

const texts = messages.admin.jobs
type State = BoxJob['state']
const STATES = (['failed', 'active', 'waiting'] as const).map((value) => ({ value, label: texts.states[value] }))

/** Failed, running and waiting jobs. Admins can retry failed ones. */
export function Jobs() {
  const cairn = useCairn()
  const [state, setState] = useState<State>('failed')
  const list = usePagedList(['jobs', state], () => cairn.box.jobs({ state, limit: 20 }), {
    refetchInterval: 10_000,
    countLimit: COUNT_LIMIT,
  })
  return (
    <Panel
      flush
      title={texts.title}
      actions={
        <SegmentedControl
          aria-label={texts.title}
          data={STATES}
          value={state}
          onChange={(value) => setState(value as State)}
        />
      }
    >
      <PagedListView list={list} rows={3} empty={<EmptyState icon={IconChecks} title={texts.none[state]} />}>
        {(items) => (
          <Table label={texts.title}>
            <thead>
              <tr>
                <th>{texts.queue}</th>
                <th className="wide-only">{texts.about}</th>
                <th className="wide-only num">{texts.tries}</th>
                <th>{texts.ended}</th>
                <th>
                  <span className="visually-hidden">{texts.retry}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((job) => (
                <Row key={job.id} job={job} />
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
    </Panel>
  )
}

function Row({
  job: { id, queue, state, subject, attempts, createdAt, startedAt, endedAt, errorMessage },
}: {
  job: BoxJob
}) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const { isAdmin } = useRoles()
  const retry = useMutation({
    mutationFn: () => cairn.box.retryJob(queue, id),
    onSuccess: () => {
      notifySuccess(texts.retried(queue))
      void queries.invalidateQueries({ queryKey: ['jobs'] })
    },
    onError: (error) => notifyError(error, texts.notRetried),
  })
  return (
    <tr>
      <td>
        <span className="mono">{queue}</span>
        {errorMessage && <div className="dim small">{errorMessage}</div>}
      </td>
      <td className="wide-only mono dim">{subject ?? '–'}</td>
      <td className="wide-only num">{attempts}</td>
      <td className="dim">
        <RelativeTime at={endedAt ?? startedAt ?? createdAt} />
      </td>
      <td className="num">
        {isAdmin && state === 'failed' && (
          <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
            {texts.retry}
          </Button>
        )}
      </td>
    </tr>
  )
}
