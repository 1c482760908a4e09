import type { Scan } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import type { MapLayerMouseEvent, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { boundsOf } from '../../../map/bounds.ts'
import { MapCanvas } from '../../../map/map-canvas.tsx'
import { useSource } from '../../../map/use-source.ts'
import { messages } from '../../../messages/index.ts'
import { nameOf } from '../scan-badges.tsx'
import { ScanPicture } from '../scan-picture.tsx'
import { isLocated } from './located-scans.ts'
import classes from './scan-map.module.css'
import { ringsOf, scanMapOverlay } from './scan-map-overlay.ts'

const texts = messages.scans.map

/** The scans on a map and in a list with a shared selection. Scans without a location are counted. */
export function ScanMap({ scans }: { scans: Scan[] }) {
  const [map, setMap] = useState<MapLibre | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const placed = useMemo(() => scans.filter(isLocated), [scans])
  const start = useMemo(() => boundsOf(placed.map(({ long, lat }) => [long, lat])), [placed])
  const rings = useMemo(() => ringsOf(placed, chosen), [placed, chosen])
  useSource(map, 'scans', rings)
  usePresses(map, setChosen)

  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const placeless = scans.length - placed.length
  if (!start) return <p className="dim pad">{texts.none}</p>
  return (
    <div className={classes.both}>
      <div className={classes.map}>
        <MapCanvas
          overlay={scanMapOverlay}
          start={{ bounds: start }}
          label={texts.label(formatNumber(placed.length))}
          onMap={setMap}
        />
      </div>
      <ul className={classes.list} ref={list} aria-label={texts.list}>
        {placed.map((scan) => (
          <li key={scan.id} className={classes.row} aria-current={scan.id === chosen}>
            <Link
              data-row
              to="/scans/$scanId"
              params={{ scanId: scan.id }}
              className={classes.link}
              onFocus={() => setChosen(scan.id)}
              onPointerEnter={() => setChosen(scan.id)}
            >
              <span className={classes.picture}>
                <ScanPicture url={scan.previewImageUrl} isSmall />
              </span>
              <span className={classes.said}>
                <span className="truncate">{nameOf(scan)}</span>
                <span className="truncate faint small">{scan.location}</span>
              </span>
            </Link>
          </li>
        ))}
        {placeless > 0 && <li className="faint small pad">{texts.placeless(placeless)}</li>}
      </ul>
    </div>
  )
}

/** A click on a ring selects its scan. */
function usePresses(map: MapLibre | null, choose: (id: string) => void) {
  useEffect(() => {
    if (!map) return undefined
    const press = ({ features }: MapLayerMouseEvent) => {
      const id: unknown = features?.[0]?.properties.id
      if (typeof id === 'string') choose(id)
    }
    const point = (cursor: string) => () => {
      map.getCanvas().style.cursor = cursor
    }
    const heard = [
      map.on('click', 'scans', press),
      map.on('mouseenter', 'scans', point('pointer')),
      map.on('mouseleave', 'scans', point('')),
    ]
    return () => {
      for (const one of heard) one.unsubscribe()
    }
  }, [map, choose])
}
