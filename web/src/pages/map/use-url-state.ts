import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { DEFAULT_METRES, layersOf, type MapSearch, selectionOf } from './url-state.ts'

/** Without what concerns the table alone: the page is not rendered again for each letter of its search. */
const ofMap = ({ find, kind, owner, sort, page, ...ofAll }: MapSearch) => ofAll

/** The map's search parameters, and a function to change them. */
export function useUrlState() {
  const address: MapSearch = useSearch({ strict: false, select: ofMap, structuralSharing: true })
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
  const { lat, lon, radius = DEFAULT_METRES, layers, select, create, table = false, visits } = address
  // Memoized because distances to all pins depend on it.
  const point = useMemo(() => (lat !== undefined && lon !== undefined ? { lat, lon } : null), [lat, lon])
  const shown = useMemo(() => layersOf(layers === undefined ? {} : { layers }), [layers])
  return useMemo(
    () => ({
      /** The centre of the search; null to list items in view. */
      point,
      radius,
      layers: shown,
      isAboutConflicts: layers === 'conflicts',
      selection: selectionOf({ ...(select === undefined ? {} : { select }) }),
      create,
      /** Whether the table of points is shown. */
      isTable: table,
      /** The app whose visits are shown; undefined for none. */
      visitsOf: visits,
      change,
    }),
    [point, radius, layers, shown, select, create, table, visits, change],
  )
}

export type UrlState = ReturnType<typeof useUrlState>
