import type { App, Cairn, GameSession } from '@cairn/sdk'
import { ActionIcon, Button, NumberInput } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { useDraft } from '../../../components/feedback/use-draft.ts'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { Avatar } from '../avatar.tsx'
import type { WrittenScore } from './correct-score.tsx'
import type { SessionPlayer } from './ranked-players.ts'
import classes from './session-players.module.css'

const texts = messages.game.session

type Props = {
  app: App
  cairn: Cairn
  session: GameSession
  entry: SessionPlayer
  isTied: boolean
  onChanged: () => Promise<unknown>
  onCorrect: (score: WrittenScore) => void
  onRemove: (player: SessionPlayer) => void
}

/** A player of a session. The score is a field while the session is not completed; then it can be corrected. */
export function SessionPlayerRow({ app, cairn, session, entry, isTied, onChanged, onCorrect, onRemove }: Props) {
  const { playerId, displayName: name, imageUrl, score, ranking, createdAt, updatedAt } = entry
  const isWritten = ranking !== undefined || updatedAt !== createdAt
  const written = isWritten ? score : undefined
  const form = useId()
  const { fields, set, forget } = useDraft<{ draft: string | number }>({ draft: written ?? '' })
  const { draft } = fields
  const [isBusy, setIsBusy] = useState(false)
  const mayWrite = hasRole(app, 'developer')
  const isOver = session.status === 'COMPLETED'
  const isChanged = mayWrite && !isOver && draft !== '' && Number(draft) !== written
  const write = async (event: FormEvent) => {
    event.preventDefault()
    if (draft === '') return
    setIsBusy(true)
    try {
      await cairn.gameSessions.setScore(session.id, playerId, Number(draft))
      await onChanged()
      forget({ draft })
    } catch (error) {
      notifyError(error)
    } finally {
      setIsBusy(false)
    }
  }
  const save = (className: string) =>
    isChanged && (
      <Button size="xs" type="submit" form={form} className={className} loading={isBusy}>
        {texts.setScore}
      </Button>
    )
  return (
    <tr>
      <td className={`num strong ${classes.rank}`}>
        {isTied && <span title={messages.game.board.tie}>=</span>}
        {ranking === undefined ? '–' : formatNumber(ranking)}
      </td>
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
      <td className={mayWrite && !isOver ? classes.field : `num ${classes.field}`}>
        {mayWrite && !isOver ? (
          <form id={form} className="row" onSubmit={(event) => void write(event)}>
            <NumberInput
              aria-label={texts.scoreOf(name)}
              placeholder="–"
              value={draft}
              onChange={(score) => set({ draft: score })}
              onBlur={() => (draft === '' || Number(draft) === written) && forget({ draft })}
              hideControls
              w={{ base: 84, sm: 110 }}
            />
            {save('roomy-only')}
          </form>
        ) : (
          <span className={`row wrap ${classes.score}`}>
            <span className="strong">{isWritten ? formatNumber(score) : '–'}</span>
            {mayWrite && (
              <Button
                size="xs"
                aria-label={texts.correctOf(name)}
                onClick={() => onCorrect({ sessionId: session.id, playerId, name, score })}
              >
                {texts.correct}
              </Button>
            )}
          </span>
        )}
      </td>
      <td className="wide-only dim">{isWritten ? <RelativeTime at={updatedAt} /> : '–'}</td>
      {mayWrite && (
        <td className={`num ${classes.action}`}>
          {/* A tight table has room for one of the two. */}
          {save('tight-only')}
          <ActionIcon
            className={isChanged ? 'roomy-only' : ''}
            aria-label={texts.leave(name)}
            onClick={() => onRemove(entry)}
          >
            <IconUserMinus size={16} aria-hidden />
          </ActionIcon>
        </td>
      )}
    </tr>
  )
}
