import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { createStore, type Store } from '../../shell/store.ts'
import type { UrlState } from './use-url-state.ts'

/** A radius at rest this long searches. */
const REST_MS = 200

/** The radius of the search while it is changed, in metres. `settle` searches once the radius rests. */
export type SearchRadius = Store<number> & { settle: (metres: number) => void }

/** Until the radius rests, only what subscribes to it is drawn: the controls, the handle and a preview, which take a fraction of the time of the page and its map. */
export function useSearchRadius({ point, radius: searched, change }: UrlState): SearchRadius {
  const [radius] = useState(() => createStore(searched))
  useEffect(() => radius.set(searched), [radius, searched])
  const search = useDebouncedCallback((metres: number) => {
    if (point) change({ radius: metres })
  }, REST_MS)
  return useMemo(() => {
    const settle = (metres: number) => {
      radius.set(metres)
      search(metres)
    }
    return { ...radius, settle }
  }, [radius, search])
}
