import type { TimelineEntry } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../../components/data/format.ts'
import { Sentence } from '../../../../components/data/sentence.tsx'
import { messages } from '../../../../messages/index.ts'
import { AuditChanges, actionName, auditActor } from '../../../admin/audit/audit-words.tsx'
import classes from './timeline.module.css'

const texts = messages.game.timeline
type Props = { entry: TimelineEntry; appId: string }

/** An entry of a timeline in words, with links to what it is about. */
export function TimelineText({ entry, appId }: Props) {
  const score = formatNumber(entry.score ?? 0)
  const session = <Session entry={entry} appId={appId} />
  switch (entry.kind) {
    case 'created':
      return <>{texts.created}</>
    case 'joined':
      return (
        <>
          <Sentence text={texts.joined} values={[session]} />
          <Game entry={entry} />
        </>
      )
    case 'score':
      return (
        <>
          <Sentence text={texts.score} values={[score, session]} />
          <Game entry={entry} />
          {entry.replacedAt && <span className={classes.aside}>{texts.replaced}</span>}
        </>
      )
    case 'held':
      return (
        <>
          <Sentence text={texts.held} values={[score, session]} />
          <Game entry={entry} />
          <Reasons reasons={entry.reasons} names={messages.game.reviews.reasons} />
        </>
      )
    case 'reviewed':
      return (
        <>
          <Sentence text={entry.state === 'accepted' ? texts.accepted : texts.rejected} values={[score, session]} />
          <Game entry={entry} />
          <Note note={entry.note} />
        </>
      )
    case 'checkIn':
      return <CheckIn entry={entry} appId={appId} />
    case 'change':
      return <Change entry={entry} />
  }
}

function Session({ entry: { gameSessionId, gameSessionName }, appId }: Props) {
  if (!gameSessionId) return texts.deletedSession
  return (
    <Link to="/apps/$appId/sessions/$sessionId" params={{ appId, sessionId: gameSessionId }}>
      {gameSessionName ?? messages.game.player.unnamed}
    </Link>
  )
}

const Game = ({ entry: { gameSessionId, miniGameTypeName } }: { entry: TimelineEntry }) =>
  gameSessionId && <span className={classes.aside}>{miniGameTypeName ?? messages.common.defaultGame}</span>

function CheckIn({ entry, appId }: Props) {
  const { state, fenceName, points, reasons, note } = entry
  const words = { held: texts.checkInHeld, rejected: texts.checkInRejected }
  const fence = fenceName ? (
    <Link to="/apps/$appId/fences" params={{ appId }}>
      {fenceName}
    </Link>
  ) : (
    texts.deletedFence
  )
  return (
    <>
      <Sentence text={words[state as keyof typeof words] ?? texts.checkIn} values={[fence]} />
      {points !== null && <span className={classes.aside}>{texts.points(formatNumber(points))}</span>}
      <Reasons reasons={reasons} names={messages.game.fences.checkInList.reasons} />
      <Note note={note} />
    </>
  )
}

function Change({ entry: { action, actor, actorName, changes } }: { entry: TimelineEntry }) {
  return (
    <>
      <Sentence
        text={texts.change}
        values={[
          actionName(action ?? ''),
          <span key="actor" className="strong">
            {auditActor(actor ?? '', actorName)}
          </span>,
        ]}
      />
      {changes && (
        <div className={classes.detail}>
          <AuditChanges changes={changes} />
        </div>
      )}
    </>
  )
}

const Note = ({ note }: { note: string | null }) => note && <div className={classes.detail}>“{note}”</div>

function Reasons({ reasons, names }: { reasons: string[]; names: Record<string, string> }) {
  if (reasons.length === 0) return null
  return <div className={classes.detail}>{reasons.map((reason) => names[reason] ?? reason).join('; ')}</div>
}
