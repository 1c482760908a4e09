import type { BoxHealth } from '@cairn/sdk'
import { Badge, type Tone } from '../../components/data/badge.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { formatBytes } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'

const texts = messages.admin.backups
type State = BoxHealth['backups']
const TONES: Record<State['state'], Tone> = { off: 'plain', pending: 'note', ok: 'ok', failed: 'err', late: 'warn' }

/** The last scheduled backup, the last failure and the next backup. Warns when the last success is too old. */
export function Backups({ backups }: { backups: State }) {
  const { state, place, lastSuccess, lastFailure, runningSince, nextAt } = backups
  const isFailing = lastFailure !== null && lastFailure.at > (lastSuccess?.at ?? '')
  return (
    <Panel title={texts.title} beside={<Badge tone={TONES[state]}>{texts.states[state]}</Badge>}>
      {state === 'off' ? (
        <p className="dim">{texts.off}</p>
      ) : (
        <div className="stack">
          {isFailing && (
            <Notice tone="err" title={texts.failed}>
              {lastFailure.message}
            </Notice>
          )}
          {state === 'late' && <Notice tone="warn" title={texts.late} />}
          <Facts
            facts={{
              [texts.last]: <LastSuccess backup={lastSuccess} />,
              [texts.lastFailure]: lastFailure ? (
                <>
                  <RelativeTime at={lastFailure.at} />
                  {!isFailing && <div className="faint small">{lastFailure.message}</div>}
                </>
              ) : undefined,
              [texts.next]: runningSince ? texts.running : <RelativeTime at={nextAt} />,
              [texts.place]: place,
            }}
          />
        </div>
      )}
    </Panel>
  )
}

const LastSuccess = ({ backup }: { backup: State['lastSuccess'] }) => (
  <>
    <RelativeTime at={backup?.at ?? null} />
    {backup && (
      <div className="faint small">
        {texts.made(formatBytes(backup.bytes), backup.seconds)}
        <br />
        <span className="mono">{backup.place}</span>
      </div>
    )}
  </>
)
