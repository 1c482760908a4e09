import type { App, AppUsage } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CopyableId } from '../../../components/copy/copy-button.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { formatNumber, formatPercent } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { currentLocale } from '../../../language/language.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from '../app-page.module.css'

const texts = messages.app.glance
const signed = new Intl.NumberFormat(currentLocale(), { signDisplay: 'exceptZero' })

/** Counts of the app's records and its use of the rate limit. */
export function SummaryPanel({ app, usage }: { app: App; usage: AppUsage | undefined }) {
  const cairn = useCairn()
  const overview = useQuery({
    queryKey: ['app', app.id, 'overview'],
    queryFn: ({ signal }) => cairn.apps.overview(app.id, { signal }),
  })
  const params = { appId: app.id }
  return (
    <Panel title={texts.title}>
      <QueryResult query={overview}>
        {({ players, newPlayersThisWeek, gameSessions, runningGameSessions, miniGameTypes, topScore }) => (
          <Facts
            facts={{
              [texts.players]: (
                <Link to="/apps/$appId/players" params={params}>
                  {texts.playersOf(formatNumber(players), newPlayersThisWeek, signed.format(newPlayersThisWeek))}
                </Link>
              ),
              [texts.sessions]: (
                <Link to="/apps/$appId/sessions" params={params}>
                  {texts.sessionsOf(
                    formatNumber(runningGameSessions),
                    formatNumber(gameSessions - runningGameSessions),
                  )}
                </Link>
              ),
              [texts.miniGames]: (
                <Link to="/apps/$appId/mini-games" params={params}>
                  {texts.miniGamesOf(formatNumber(miniGameTypes))}
                </Link>
              ),
              [texts.topScore]: topScore ? (
                <>
                  {formatNumber(topScore.score)}{' '}
                  <Link to="/apps/$appId/players/$playerId" params={{ ...params, playerId: topScore.playerId }}>
                    {topScore.displayName}
                  </Link>
                </>
              ) : (
                texts.none
              ),
              [texts.limit]: usage && <Limit usage={usage} />,
              [texts.made]: <RelativeTime at={app.createdAt} />,
              [texts.id]: <CopyableId value={app.id} />,
            }}
          />
        )}
      </QueryResult>
    </Panel>
  )
}

function Limit({ usage: { limitPerMinute, busiestMinute } }: { usage: AppUsage }) {
  const share = Math.min(1, busiestMinute / limitPerMinute)
  return (
    <>
      {texts.limitOf(formatNumber(limitPerMinute))}
      <meter className="visually-hidden" aria-label={texts.busiestLabel} max={limitPerMinute} value={busiestMinute} />
      <div className={`${classes.meter} drawn`} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <span className="small faint">{texts.busiest(formatPercent(share))}</span>
    </>
  )
}
