import type { App, Cairn, Player } from '@cairn/sdk'
import { Autocomplete } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettled } from '../../parts/use-settled.ts'

/** A field that finds a player of the app by name, wherever on a board they are. @param onFound one was chosen */
export function FindPlayer({
  app,
  cairn,
  label,
  onFound,
}: {
  app: App
  cairn: Cairn
  label: string
  onFound: (player: Player) => void
}) {
  const [text, setText] = useState('')
  const [found, setFound] = useState(0)
  const search = useSettled(text.trim())
  const { data: players = [] } = useQuery({
    queryKey: ['players', app.id, 'find', search],
    queryFn: async ({ signal }) => (await cairn.players.list({ search, limit: 8 }, { signal }).first()).items,
    enabled: search.length > 0,
    placeholderData: keepPreviousData,
  })
  const choose = (name: string) => {
    const player = players.find(({ displayName }) => displayName === name)
    if (!player) return
    setText('')
    setFound(found + 1)
    onFound(player)
  }
  return (
    <Autocomplete
      // A field of its own for each search: this one writes the name it found back into itself.
      key={found}
      data-find
      size="sm"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      // What the service found is shown as it is.
      filter={({ options }) => options}
      data={text.trim() ? players.map(({ displayName }) => displayName) : []}
      value={text}
      onChange={setText}
      onOptionSubmit={choose}
    />
  )
}
