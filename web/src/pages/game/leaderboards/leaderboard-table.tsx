import type { LeaderboardEntry } from '@cairn/sdk'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber, scoreFormat } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { ClickableRow, Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import { Avatar } from '../avatar.tsx'
import { tiesOf } from '../ties.ts'
import classes from './leaderboard.module.css'
import { type Change, HIGHLIGHT_MS } from './use-live-leaderboard.ts'

const texts = messages.game.board

type Props = {
  label: string
  entries: LeaderboardEntry[]
  changes: Map<string, Change>
  selected: string | undefined
  onSelect: (playerId: string) => void
  /** The link to the session of a score; without it, the column is left out. */
  sessionLink?: (gameSessionId: string) => ReactNode
}

/** The rows of a leaderboard. Recent changes are highlighted. Rows animate to their new positions unless the pointer is over the table. */
export function LeaderboardTable({ label, entries, changes, selected, onSelect, sessionLink }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const ties = tiesOf(entries)
  const format = scoreFormat(entries.map(({ playerScore }) => playerScore))
  useAnimatedRows(body, entries)
  useHighlightExpiry(entries)
  const now = performance.now()
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th className="num">{texts.rank}</th>
          <th className={`roomy-only ${classes.move}`}>
            <span className="visually-hidden">{texts.move}</span>
          </th>
          <th>{texts.player}</th>
          <th className="num">{texts.best}</th>
          {sessionLink && <th className={`wide-only ${classes.session}`}>{texts.session}</th>}
          <th className="wide-only num">{texts.reached}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {entries.map((entry) => {
          const change = changes.get(entry.playerId)
          const isHighlighted = change !== undefined && now - change.at < HIGHLIGHT_MS && change.gained !== 0
          const { playerId, playerDisplayName, playerImageUrl, playerScore, ranking, gameSessionId, updatedAt } = entry
          return (
            <ClickableRow
              key={playerId}
              data-player={playerId}
              className={isHighlighted ? classes.fresh : undefined}
              onOpen={() => onSelect(playerId)}
              aria-selected={playerId === selected}
            >
              <td className={`num ${classes.rank}`}>
                {ties.has(ranking) && <span title={texts.tie}>=</span>}
                {formatNumber(ranking)}
              </td>
              <td className={`roomy-only ${classes.move}`}>{change && <Move moved={change.moved} />}</td>
              <td>
                <span className="row">
                  <Avatar name={playerDisplayName} imageUrl={playerImageUrl} />
                  <button
                    type="button"
                    data-row
                    className={`${classes.name} truncate`}
                    onClick={() => onSelect(playerId)}
                  >
                    {playerDisplayName}
                  </button>
                </span>
              </td>
              <td className={`num ${classes.score}`}>
                {isHighlighted && <Gain gained={change.gained} />} {format(playerScore)}
              </td>
              {sessionLink && <td className={`wide-only ${classes.session}`}>{sessionLink(gameSessionId)}</td>}
              <td className="wide-only num dim">
                <RelativeTime at={updatedAt} />
              </td>
            </ClickableRow>
          )
        })}
      </tbody>
    </Table>
  )
}

function Move({ moved }: { moved: number }) {
  if (moved === 0) return null
  const Arrow = moved > 0 ? IconArrowUp : IconArrowDown
  return (
    <span className={moved > 0 ? classes.up : undefined}>
      <Arrow size={12} aria-hidden />
      <span className="visually-hidden">{moved > 0 ? texts.up(moved) : texts.down(-moved)}</span>
      <span aria-hidden>{Math.abs(moved)}</span>
    </span>
  )
}

const Gain = ({ gained }: { gained: number }) => (
  <span className={classes.gain}>
    {gained > 0 ? texts.gain(formatNumber(gained)) : texts.loss(formatNumber(-gained))}
  </span>
)

/** Renders again when highlights expire. */
function useHighlightExpiry(entries: LeaderboardEntry[]) {
  const [, draw] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new board makes rows fresh
  useEffect(() => {
    const timer = setTimeout(() => draw((n) => n + 1), HIGHLIGHT_MS + 50)
    return () => clearTimeout(timer)
  }, [entries])
}

/** Animates rows to their new positions (FLIP: first, last, invert, play). */
function useAnimatedRows(body: React.RefObject<HTMLTableSectionElement | null>, entries: LeaderboardEntry[]) {
  const places = useRef(new Map<string, number>())
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move when there is a new board
  useLayoutEffect(() => {
    if (!body.current) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches || body.current.matches(':hover')
    for (const row of body.current.querySelectorAll<HTMLTableRowElement>('tr[data-player]')) {
      const id = row.dataset.player!
      const top = row.offsetTop
      const before = places.current.get(id)
      places.current.set(id, top)
      if (before === undefined || before === top || isStill) continue
      row.animate([{ transform: `translateY(${before - top}px)` }, { transform: 'none' }], {
        duration: 240,
        easing: 'ease-out',
      })
    }
  }, [entries])
}
