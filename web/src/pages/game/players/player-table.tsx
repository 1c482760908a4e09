import type { App, Player } from '@cairn/sdk'
import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { SortableHead } from '../../../components/data/sortable-head.tsx'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import { Avatar } from '../avatar.tsx'
import { StandingBadge } from '../standing/standing-badge.tsx'
import classes from './players.module.css'

const texts = messages.game.players
const standingTexts = messages.game.standing

type Props = {
  app: App
  players: Player[]
  sort: string
  onSort: (sort: string) => void
  selected: Map<string, Player>
  /** Undefined for users who may not change players. */
  onSelect: ((selected: Map<string, Player>) => void) | undefined
}

/** Players with standing, best score and last play. */
export function PlayerTable({ app, players, sort, onSort, selected, onSelect }: Props) {
  const toggle = (player: Player) => {
    const next = new Map(selected)
    if (!next.delete(player.id)) next.set(player.id, player)
    onSelect?.(next)
  }
  const isAll = players.every(({ id }) => selected.has(id))
  const toggleAll = () => onSelect?.(isAll ? new Map() : new Map(players.map((player) => [player.id, player])))
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          {onSelect && (
            <th className={classes.check}>
              <Checkbox
                aria-label={standingTexts.selectAll}
                checked={isAll}
                indeterminate={!isAll && selected.size > 0}
                onChange={toggleAll}
              />
            </th>
          )}
          <SortableHead name="displayName" sort={sort} onSort={onSort}>
            {texts.name}
          </SortableHead>
          <th className="roomy-only">{standingTexts.title}</th>
          <SortableHead name="bestScore" sort={sort} onSort={onSort} isDescendingFirst className="num">
            {texts.best}
          </SortableHead>
          <th className="wide-only num">{texts.sessions}</th>
          <th className="wide-only">{texts.lastPlayed}</th>
          <SortableHead name="createdAt" sort={sort} onSort={onSort} isDescendingFirst className="roomy-only">
            {texts.since}
          </SortableHead>
        </tr>
      </thead>
      <tbody>
        {players.map((player) => {
          const { id, displayName, imageUrl, createdAt, bestScore, sessionCount = 0, lastPlayedAt } = player
          return (
            <tr key={id} aria-selected={onSelect && selected.has(id)}>
              {onSelect && (
                <td>
                  <Checkbox
                    aria-label={standingTexts.select(displayName)}
                    checked={selected.has(id)}
                    onChange={() => toggle(player)}
                  />
                </td>
              )}
              <td>
                <span className="row">
                  <Avatar name={displayName} imageUrl={imageUrl} />
                  <Link
                    data-row
                    className="truncate"
                    to="/apps/$appId/players/$playerId"
                    params={{ appId: app.id, playerId: id }}
                  >
                    {displayName}
                  </Link>
                </span>
                <span className="tight-only">
                  <StandingBadge player={player} />
                </span>
              </td>
              <td className="roomy-only dim">
                {player.standing ? <StandingBadge player={player} /> : standingTexts.states.normal}
              </td>
              <td className="num strong">{bestScore == null ? '–' : formatNumber(bestScore)}</td>
              <td className="wide-only num dim">{formatNumber(sessionCount)}</td>
              <td className="wide-only dim">{lastPlayedAt ? <RelativeTime at={lastPlayedAt} /> : '–'}</td>
              <td className="roomy-only dim">
                <RelativeTime at={createdAt} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
