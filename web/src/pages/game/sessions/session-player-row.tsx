import type { App, Cairn, GameSession } from '@cairn/sdk'
import { ActionIcon, Button, NumberInput } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { Avatar } from '../avatar.tsx'
import type { WrittenScore } from './correct-score.tsx'
import type { SessionPlayer } from './ranked-players.ts'

const texts = messages.game.session

type Props = {
  app: App
  cairn: Cairn
  session: GameSession
  entry: SessionPlayer
  onChanged: () => void
  onCorrect: (score: WrittenScore) => void
}

/** A player of a session. The score is a field while the session is not completed; then it can be corrected. */
export function SessionPlayerRow({ app, cairn, session, entry, onChanged, onCorrect }: Props) {
  const { playerId, displayName: name, imageUrl, score, ranking, createdAt, updatedAt } = entry
  const [isBusy, setIsBusy] = useState(false)
  const isWritten = ranking !== undefined || updatedAt !== createdAt
  const mayWrite = hasRole(app, 'developer')
  const doing = async (work: () => Promise<unknown>) => {
    setIsBusy(true)
    try {
      await work()
      onChanged()
    } catch (error) {
      notifyError(error)
    } finally {
      setIsBusy(false)
    }
  }
  const leave = () =>
    doing(async () => {
      await cairn.gameSessions.leave(session.id, playerId)
      notifySuccess(texts.left(name))
    })
  return (
    <tr>
      <td className="num strong">{ranking === undefined ? '–' : formatNumber(ranking)}</td>
      <td>
        <span className="row">
          {/* A phone has no room for it beside a name. */}
          <span className="wide-only">
            <Avatar name={name} imageUrl={imageUrl} />
          </span>
          <Link data-row className="truncate" to="/apps/$appId/players/$playerId" params={{ appId: app.id, playerId }}>
            {name}
          </Link>
        </span>
      </td>
      <td>
        {!mayWrite ? (
          <span className="strong">{isWritten ? formatNumber(score) : '–'}</span>
        ) : session.status === 'COMPLETED' ? (
          <span className="row wrap">
            <span className="strong">{isWritten ? formatNumber(score) : '–'}</span>
            <Button
              size="xs"
              aria-label={texts.correctOf(name)}
              onClick={() => onCorrect({ sessionId: session.id, playerId, name, score })}
            >
              {texts.correct}
            </Button>
          </span>
        ) : (
          <ScoreField
            name={name}
            written={isWritten ? score : undefined}
            isBusy={isBusy}
            onWrite={(next) => void doing(() => cairn.gameSessions.setScore(session.id, playerId, next))}
          />
        )}
      </td>
      <td className="wide-only dim">{isWritten ? <RelativeTime at={updatedAt} /> : '–'}</td>
      {mayWrite && (
        <td className="num">
          <ActionIcon aria-label={texts.leave(name)} onClick={() => void leave()} disabled={isBusy}>
            <IconUserMinus size={16} aria-hidden />
          </ActionIcon>
        </td>
      )}
    </tr>
  )
}

type FieldProps = { name: string; written: number | undefined; isBusy: boolean; onWrite: (score: number) => void }

function ScoreField({ name, written, isBusy, onWrite }: FieldProps) {
  const [score, setScore] = useState<string | number>(written ?? '')
  const write = (event: FormEvent) => {
    event.preventDefault()
    if (score !== '') onWrite(Number(score))
  }
  return (
    <form className="row wrap" onSubmit={write}>
      <NumberInput
        aria-label={texts.scoreOf(name)}
        placeholder="–"
        value={score}
        onChange={setScore}
        hideControls
        w={{ base: 84, sm: 110 }}
      />
      {score !== '' && Number(score) !== written && (
        <Button size="xs" type="submit" loading={isBusy}>
          {texts.setScore}
        </Button>
      )}
    </form>
  )
}
