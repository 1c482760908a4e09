import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { UrlState } from './use-url-state.ts'

/** A radius at rest this long searches. */
const REST_MS = 200

/** The radius of the search while it is changed. `settle` searches once the radius rests: until then only the controls and a preview are drawn, which takes a fraction of the time of the map. */
export function useSearchRadius({ point, radius: searched, change }: UrlState) {
  const [radius, setRadius] = useState(searched)
  useEffect(() => setRadius(searched), [searched])
  const search = useDebouncedCallback((metres: number) => {
    if (point) change({ radius: metres })
  }, REST_MS)
  const settle = (metres: number) => {
    setRadius(metres)
    search(metres)
  }
  return { radius, setRadius, settle }
}

export type SearchRadius = ReturnType<typeof useSearchRadius>
