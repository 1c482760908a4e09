import type { App, Cairn, LeaderboardEntry } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber, scoreFormat } from '../../../components/data/format.ts'
import { Table } from '../../../components/data/table.tsx'
import { currentLocale } from '../../../language/language.ts'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { CorrectScore, type WrittenScore } from '../sessions/correct-score.tsx'
import { tiesOf } from '../ties.ts'
import classes from './leaderboard.module.css'

const texts = messages.game.board
const compact = new Intl.NumberFormat(currentLocale(), { notation: 'compact', maximumFractionDigits: 1 })
type Props = { app: App; cairn: Cairn; entries: LeaderboardEntry[]; own: LeaderboardEntry }

/** The ranks around a player with the gaps, and a button to correct the score that ranks. */
export function NearbyRanks({ app, cairn, entries, own }: Props) {
  const queries = useQueryClient()
  const [corrected, setCorrected] = useState<WrittenScore>()
  const ties = tiesOf(entries)
  const format = scoreFormat(entries.map(({ playerScore }) => playerScore))
  const { playerId, playerDisplayName: name, playerScore: score, gameSessionId: sessionId } = own
  const refresh = () =>
    void Promise.all([
      queries.invalidateQueries({ queryKey: ['player', playerId] }),
      queries.invalidateQueries({ queryKey: ['around', playerId] }),
    ])
  return (
    <>
      <h3>{texts.around}</h3>
      <div className={classes.near}>
        <Table label={texts.around}>
          <thead className="visually-hidden">
            <tr>
              <th>{texts.rank}</th>
              <th>{texts.player}</th>
              <th>{texts.best}</th>
              <th>{texts.gap}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.playerId} aria-selected={entry.playerId === playerId}>
                <td className="num faint">
                  {ties.has(entry.ranking) && <span title={texts.tie}>=</span>}
                  {formatNumber(entry.ranking)}
                </td>
                <td>{entry.playerDisplayName}</td>
                <td className="num strong">{format(entry.playerScore)}</td>
                <td className="num faint">{gapOf(entry.playerScore - score)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      {hasRole(app, 'developer') && (
        <Button onClick={() => setCorrected({ sessionId, playerId, name, score })}>{texts.correct}</Button>
      )}
      <CorrectScore cairn={cairn} of={corrected} onClose={() => setCorrected(undefined)} onDone={refresh} />
    </>
  )
}

/** A large gap is shortened, so that its column stays in the panel. */
function gapOf(gap: number): string {
  if (gap === 0) return '0'
  const size = Math.abs(gap) < 100_000 ? formatNumber(Math.abs(gap)) : compact.format(Math.abs(gap))
  return gap > 0 ? texts.gain(size) : texts.loss(size)
}
