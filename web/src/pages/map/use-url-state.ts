import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { choiceOf, DEFAULT_METRES, layersOf, type MapAddress } from './url-state.ts'

/** What the address says of the map, and the way to change it. */
export function useAddress() {
  const address = useSearch({ strict: false }) as MapAddress
  const navigate = useNavigate()
  const change = useCallback(
    (part: { [Name in keyof MapAddress]: MapAddress[Name] | undefined }) =>
      void navigate({
        to: '.',
        search: ((old: MapAddress) => ({ ...old, ...part })) as never,
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
      choice: choiceOf({ ...(select === undefined ? {} : { select }) }),
      change,
    }),
    [point, radius, layers, select, change],
  )
}

export type Address = ReturnType<typeof useAddress>
