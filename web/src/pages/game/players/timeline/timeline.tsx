import type { App, Cairn, TimelineEntry } from '@cairn/sdk'
import { RelativeTime } from '../../../../components/data/relative-time.tsx'
import { EmptyState } from '../../../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../../../components/layout/api-call.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../../components/query/paged-list.tsx'
import { messages } from '../../../../messages/index.ts'
import classes from './timeline.module.css'
import { iconOf } from './timeline-icons.ts'
import { TimelineText } from './timeline-text.tsx'

const texts = messages.game.timeline

/** Everything that happened to a player, the newest first. */
export function PlayerTimeline({ app, cairn, playerId }: { app: App; cairn: Cairn; playerId: string }) {
  const list = usePagedList(['player', playerId, 'timeline'], () => cairn.players.timeline(playerId, { limit: 25 }), {
    countLimit: 10_000,
  })
  return (
    <Panel
      flush
      title={texts.title}
      actions={<ApiCallButton path={`/api/v1/apps/players/${playerId}/timeline`} auth="appKey" />}
    >
      <PagedListView list={list} empty={<EmptyState title={texts.empty}>{texts.emptyText}</EmptyState>}>
        {(entries) => (
          <ol className={classes.timeline} aria-label={texts.title}>
            {entries.map((entry, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ID, and are only added at the end
              <Entry key={`${entry.at} ${entry.kind} ${n}`} entry={entry} appId={app.id} />
            ))}
          </ol>
        )}
      </PagedListView>
    </Panel>
  )
}

function Entry({ entry, appId }: { entry: TimelineEntry; appId: string }) {
  const { icon: Icon, tone } = iconOf(entry)
  return (
    <li>
      <span className={`${classes.icon} ${tone ? classes[tone] : ''}`}>
        <Icon size={14} aria-hidden />
      </span>
      <div className={classes.what}>
        <TimelineText entry={entry} appId={appId} />
      </div>
      <span className={classes.at}>
        <RelativeTime at={entry.at} />
      </span>
    </li>
  )
}
