import { Autocomplete } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre } from 'maplibre-gl'
import { useRef, useState } from 'react'
import { currentLanguage } from '../../../language/language.ts'
import { type Town, townsLike } from '../../../map/gazetteer.ts'
import { loadGazetteer } from '../../../map/load-gazetteer.ts'
import { messages } from '../../../messages/index.ts'
import { parsePlace } from '../editor/coordinates.ts'
import classes from './map-controls.module.css'

const texts = messages.map.tools
const MOST = 8
/** A town, and a point. */
const ZOOMS = { town: 12, point: 17 }

/** Finds a town by its name, or coordinates, and moves the map there. */
export function TownSearch({ map }: { map: MapLibre | null }) {
  const [text, setText] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const { data: gazetteer, error } = useQuery({
    queryKey: ['gazetteer'],
    queryFn: () => loadGazetteer(currentLanguage()),
    enabled: isUsed,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const towns = gazetteer ? townsLike(gazetteer, text, MOST) : []
  const show = (lat: number, lon: number, zoom: number) => map?.jumpTo({ center: [lon, lat], zoom })
  const chosen = useRef<string>(null)
  const take = ({ label, lat, lon }: Town) => {
    chosen.current = label
    setText(label)
    show(lat, lon, ZOOMS.town)
  }
  return (
    <Autocomplete
      className={classes.find}
      data-find
      data-over-map
      size="sm"
      aria-label={texts.find}
      placeholder={texts.findShort}
      error={error && messages.common.failed}
      leftSection={<IconSearch size={14} aria-hidden />}
      // They are those that match.
      filter={({ options }) => options}
      selectFirstOptionOnChange
      data={text === chosen.current ? [] : towns.map(({ label }) => label)}
      value={text}
      onFocus={() => setIsUsed(true)}
      onChange={setText}
      onOptionSubmit={(label) => towns.filter((one) => one.label === label).map(take)}
      // Without a marked option. With one, the submission follows.
      onKeyDown={({ key }) => {
        if (key !== 'Enter') return
        const place = parsePlace(text)
        if (place) show(place.lat, place.lon, ZOOMS.point)
        else if (towns[0]) take(towns[0])
      }}
    />
  )
}
