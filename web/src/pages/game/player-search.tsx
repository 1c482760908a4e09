import type { App, Cairn, Player } from '@cairn/sdk'
import { Autocomplete } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Ref, useRef, useState } from 'react'
import { useDebounced } from '../../components/query/use-debounced.ts'

/** An autocomplete field for the app's players. @param onFound called with the selected player */
export function PlayerSearch({
  app,
  cairn,
  label,
  field,
  onFound,
}: {
  app: App
  cairn: Cairn
  label: string
  field?: Ref<HTMLInputElement>
  onFound: (player: Player) => void
}) {
  const [text, setText] = useState('')
  const search = useDebounced(text.trim())
  const { data: players = [] } = useQuery({
    queryKey: ['players', app.id, 'find', search],
    queryFn: async ({ signal }) => (await cairn.players.list({ search, limit: 8 }, { signal }).first()).items,
    enabled: search.length > 0,
    placeholderData: keepPreviousData,
  })
  // On selection, Autocomplete calls onChange with the selected name as if it were typed.
  const chosen = useRef<string>(null)
  const type = (value: string) => {
    if (value !== chosen.current) setText(value)
    chosen.current = null
  }
  const choose = (name: string) => {
    const player = players.find(({ displayName }) => displayName === name)
    if (!player) return
    chosen.current = name
    setText('')
    onFound(player)
  }
  return (
    <Autocomplete
      data-find
      ref={field ?? null}
      size="sm"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      // The service already filtered the options.
      filter={({ options }) => options}
      data={text.trim() ? players.map(({ displayName }) => displayName) : []}
      value={text}
      onChange={type}
      onOptionSubmit={choose}
    />
  )
}
