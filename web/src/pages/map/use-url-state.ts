import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { DEFAULT_METRES, layersOf, type MapSearch, selectionOf } from './url-state.ts'

/** What the address says of the map, and the way to change it. */
export function useUrlState() {
  const address = useSearch({ strict: false }) as MapSearch
  const navigate = useNavigate()
  const change = useCallback(
    (part: { [Name in keyof MapSearch]: MapSearch[Name] | undefined }) =>
      void navigate({
        to: '.',
        search: ((old: MapSearch) => ({ ...old, ...part })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const { lat, lon, radius = DEFAULT_METRES, layers, select } = address
  // The same object while it is the same place: all pins are measured from it.
  const point = useMemo(() => (lat !== undefined && lon !== undefined ? { lat, lon } : null), [lat, lon])
  return useMemo(
    () => ({
      /** The place that is searched around; null: none, and the list is of what is seen. */
      point,
      radius,
      layers: layersOf({ ...(layers === undefined ? {} : { layers }) }),
      isAboutConflicts: layers === 'conflicts',
      selection: selectionOf({ ...(select === undefined ? {} : { select }) }),
      change,
    }),
    [point, radius, layers, select, change],
  )
}

export type UrlState = ReturnType<typeof useUrlState>
