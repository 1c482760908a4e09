import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { withTexts } from '../../language/translate.ts'
import { createStore, useStore } from '../store.ts'

const load = withTexts(() => import('./command-palette.tsx'), 'files', 'game', 'map')
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }))

/** How often the palette was asked for. */
const asked = createStore(0)
export const openPalette = () => asked.set(asked.get() + 1)

/** The command palette, loaded when it is first opened: its dialogs would enlarge the first page. */
export function LazyPalette() {
  const times = useStore(asked)
  // Later the palette itself listens.
  useHotkeys(times === 0 ? [['mod+K', openPalette]] : [], [])
  if (times === 0) return null
  return (
    <Suspense fallback={null}>
      <CommandPalette asked={times} />
    </Suspense>
  )
}
