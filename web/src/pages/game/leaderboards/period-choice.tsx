import type { App, Cairn } from '@cairn/sdk'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../messages/index.ts'
import { type Period, parsePeriod, WINDOWS } from './period.ts'

const texts = messages.game.board
type Props = { app: App; cairn: Cairn; type: string; period: Period; onChange: (period: Period) => void }

/** Selects what a leaderboard counts: all time, a window or a season of this game. */
export function PeriodChoice({ app, cairn, type, period, onChange }: Props) {
  const { data: seasons = [] } = useQuery({
    queryKey: ['seasons', app.id, 'of', type],
    queryFn: async ({ signal }) =>
      (await cairn.seasons.list({ miniGameTypeId: type, limit: 100 }, { signal }).first()).items,
  })
  const windows = [{ value: 'all', label: texts.windows.all }].concat(
    WINDOWS.map((value) => ({ value, label: texts.windows[value] })),
  )
  const ofSeasons = seasons.map(({ id, name, number }) => ({
    value: id,
    label: number > 1 ? `${name} (${messages.game.seasons.number(number)})` : name,
  }))
  return (
    <Select
      aria-label={texts.period}
      data={[
        { group: texts.calendar, items: windows },
        ...(ofSeasons.length > 0 ? [{ group: messages.game.seasons.title, items: ofSeasons }] : []),
      ]}
      value={period.season ?? period.window ?? 'all'}
      allowDeselect={false}
      onChange={(value) =>
        value &&
        onChange(
          WINDOWS.some((one) => one === value) || value === 'all' ? parsePeriod({ window: value }) : { season: value },
        )
      }
    />
  )
}
