import type { App, Cairn, Player } from '@cairn/sdk'
import { Button, SegmentedControl, Select } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { COUNT_LIMIT, SEARCH_LIMIT } from '../../../components/data/format.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { NeedsRole } from '../../../components/layout/make-button.tsx'
import { SearchList } from '../../../components/query/search-list.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { useMiniGameTypes } from '../mini-games/mini-games.tsx'
import { type StandingChange, StandingDialog } from '../standing/standing-dialog.tsx'
import { PlayerTable } from './player-table.tsx'
import classes from './players.module.css'
import { type PlayersSearch, playersQueryWithScores } from './search-params.ts'

const texts = messages.game.players
const standingTexts = messages.game.standing
const STANDINGS = [{ value: 'all', label: standingTexts.all }].concat(
  Object.entries(standingTexts.states).map(([value, label]) => ({ value, label })),
)

type Props = {
  app: App
  cairn: Cairn
  search: PlayersSearch
  onChange: (change: PlayersSearch) => void
  /** The button that creates a player, for those who may. */
  make: ReactNode
}

/** The list of players with its filters. Several can be selected, to hide or ban them together. */
export function PlayerList({ app, cairn, search, onChange, make }: Props) {
  const { q = '', standing, sort = 'createdAt', game } = search
  const { data: types = [] } = useMiniGameTypes(app, cairn)
  const [selected, setSelected] = useState<Map<string, Player>>(new Map())
  const [change, setChange] = useState<StandingChange>()
  const ask = (to: StandingChange['to']) => setChange({ players: [...selected.values()], to })
  const close = (isDone: boolean) => {
    setChange(undefined)
    if (isDone) setSelected(new Map())
  }
  return (
    <>
      <SearchList
        title={texts.list}
        searchLabel={texts.find}
        search={q}
        onSearch={(text) => onChange({ q: text })}
        queryKey={['players', app.id, standing, sort, game]}
        load={(text) => cairn.players.list(playersQueryWithScores(search, text))}
        countLimit={(text) => (text ? SEARCH_LIMIT : standing ? COUNT_LIMIT : undefined)}
        filters={
          <div className={classes.filters}>
            <SegmentedControl
              aria-label={standingTexts.title}
              data={STANDINGS}
              value={standing ?? 'all'}
              onChange={(value) => onChange({ standing: value as NonNullable<PlayersSearch['standing']> })}
            />
            {types.length > 0 && (
              <Select
                aria-label={texts.scoresOf}
                data={[
                  { value: 'default', label: messages.common.defaultGame },
                  ...types.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                value={game ?? 'default'}
                allowDeselect={false}
                onChange={(value) => onChange({ game: value === 'default' ? undefined : (value ?? undefined) })}
              />
            )}
            {selected.size > 0 && (
              <div className={classes.bulk} role="toolbar" aria-label={standingTexts.selected(selected.size)}>
                <span className="strong">{standingTexts.selected(selected.size)}</span>
                <Button size="xs" onClick={() => ask('hidden')}>
                  {standingTexts.hide}
                </Button>
                <Button size="xs" onClick={() => ask('banned')}>
                  {standingTexts.ban}
                </Button>
                <Button size="xs" onClick={() => ask('normal')}>
                  {standingTexts.restore}
                </Button>
                <Button size="xs" variant="subtle" onClick={() => setSelected(new Map())}>
                  {standingTexts.clear}
                </Button>
              </div>
            )}
          </div>
        }
        empty={(text) =>
          text || standing ? (
            <EmptyState
              icon={IconUsers}
              title={text ? texts.noneFound(text) : standingTexts.noneOf[standing!]}
              action={
                <Button onClick={() => onChange({ q: undefined, standing: undefined })}>{messages.common.clear}</Button>
              }
            />
          ) : (
            <EmptyState icon={IconUsers} title={texts.empty} action={make || <NeedsRole least="moderator" />}>
              {texts.emptyText}
            </EmptyState>
          )
        }
      >
        {(players) => (
          <PlayerTable
            app={app}
            players={players}
            sort={sort}
            onSort={(next) => onChange({ sort: next as NonNullable<PlayersSearch['sort']> })}
            selected={selected}
            onSelect={hasRole(app, 'moderator') ? setSelected : undefined}
          />
        )}
      </SearchList>
      <StandingDialog app={app} cairn={cairn} change={change} onClose={close} />
    </>
  )
}
