import type { BoxHealth } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../components/data/badge.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { formatBytes, formatNumber } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { NotAllowed } from '../../components/feedback/failure.tsx'
import { serverText } from '../../components/feedback/server-text.ts'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { Backups } from './backups.tsx'
import { BasemapPanel } from './basemap.tsx'
import { BoxAlerts } from './box-alerts.tsx'
import { Jobs } from './jobs.tsx'
import { Limits } from './limits.tsx'

const texts = messages.admin.health
const TONES: Record<BoxHealth['parts'][number]['state'], Tone> = { ok: 'ok', failed: 'err', off: 'plain' }

/** Health of this installation: components, queues, jobs, backups, storage and limits. Refetched every ten seconds. */
export function Health() {
  const { isOps } = useRoles()
  const cairn = useCairn()
  const query = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => cairn.box.health({ signal }),
    refetchInterval: 10_000,
    enabled: isOps,
  })
  return (
    <PageBody>
      <PageHeader
        title={texts.title}
        sub={query.data && texts.sub(query.data.version, texts.does[query.data.role])}
        breadcrumbs={[{ name: messages.admin.group }]}
      />
      {isOps ? (
        <QueryResult query={query}>{(health) => <Shown health={health} />}</QueryResult>
      ) : (
        <NotAllowed>{messages.common.notAllowedText(messages.admin.onlyOps)}</NotAllowed>
      )}
    </PageBody>
  )
}

function Shown({ health }: { health: BoxHealth }) {
  return (
    <div className="columns">
      <div className="stack">
        <Parts parts={health.parts} />
        <BoxAlerts />
        <Backups backups={health.backups} />
        <Jobs />
        <Queues queues={health.queues} />
        <Limits />
      </div>
      <div className="stack">
        <Room health={health} />
        <Processes processes={health.processes} />
        <BasemapPanel />
      </div>
    </div>
  )
}

const Parts = ({ parts }: { parts: BoxHealth['parts'] }) => (
  <Panel flush title={texts.parts}>
    <Table label={texts.parts}>
      <thead>
        <tr>
          <th>{texts.part}</th>
          <th>{texts.state}</th>
          <th className="num wide-only">{texts.took}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ name, state, ms, detail }) => (
          <tr key={name}>
            <td>
              {texts.names[name] ?? name}
              {detail && <div className="faint small">{serverText(detail)}</div>}
            </td>
            <td>
              <Badge tone={TONES[state]}>{texts[state]}</Badge>
              {ms !== null && <div className="narrow-only faint small">{texts.ms(formatNumber(ms))}</div>}
            </td>
            <td className="num wide-only dim">{ms === null ? '–' : texts.ms(formatNumber(ms))}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Panel>
)

const Queues = ({ queues }: { queues: BoxHealth['queues'] }) => (
  <Panel flush title={texts.queues}>
    <Table label={texts.queues}>
      <thead>
        <tr>
          <th>{texts.queue}</th>
          <th className="num">{texts.waiting}</th>
          <th className="num">{texts.active}</th>
          <th className="num">{texts.failedCount}</th>
          <th className="num wide-only">{texts.oldest}</th>
        </tr>
      </thead>
      <tbody>
        {queues.map(({ name, waiting, active, failed, oldestWaitingSeconds }) => (
          <tr key={name}>
            <td className="mono">{name}</td>
            <td className="num">{formatNumber(waiting)}</td>
            <td className="num">{formatNumber(active)}</td>
            <td className="num">{failed > 0 ? <Badge tone="err">{formatNumber(failed)}</Badge> : 0}</td>
            <td className="num wide-only dim">
              {oldestWaitingSeconds === null ? '–' : texts.seconds(Math.round(oldestWaitingSeconds))}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Panel>
)

const Room = ({ health: { disk, database, webhooks } }: { health: BoxHealth }) => (
  <Panel title={texts.room}>
    <Facts
      facts={{
        [messages.admin.health.names.objects!]: disk ? (
          <>
            {texts.free(formatBytes(disk.freeBytes), formatBytes(disk.totalBytes))}
            {disk.reserveBytes > 0 && (
              <div className="faint small">{texts.reserve(formatBytes(disk.reserveBytes))}</div>
            )}
          </>
        ) : (
          texts.noDisk
        ),
        [texts.databaseSize]: (
          <>
            {formatBytes(database.bytes)}
            <div className="faint small">{texts.connections(database.connections)}</div>
            {database.freeBytes !== null && database.reserveBytes > 0 && (
              <div className="faint small">
                {texts.databaseReserve(formatBytes(database.freeBytes), formatBytes(database.reserveBytes))}
              </div>
            )}
          </>
        ),
        [texts.webhooks]: texts.webhooksText(formatNumber(webhooks.waiting), formatNumber(webhooks.failing)),
      }}
    />
  </Panel>
)

const Processes = ({ processes }: { processes: BoxHealth['processes'] }) => (
  <Panel flush title={texts.processes}>
    <Table label={texts.processes}>
      <thead className="visually-hidden">
        <tr>
          <th>{texts.part}</th>
          <th>{texts.started}</th>
        </tr>
      </thead>
      <tbody>
        {processes.map(({ role, since }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have started at the same moment
          <tr key={i}>
            <td>{role ? texts.roles[role] : '–'}</td>
            <td className="num dim">
              <RelativeTime at={since} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Panel>
)
