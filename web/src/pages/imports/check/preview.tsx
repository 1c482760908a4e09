import type { Zone } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconMapPinOff } from '@tabler/icons-react'
import { GeoJSONSource, type Map as MapLibre } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { MapCanvas } from '../../../map/map-canvas.tsx'
import { messages } from '../../../messages/index.ts'
import classes from './preview.module.css'
import { boundsOfPoints, featuresOf, type Point } from './preview-features.ts'
import { previewOverlay } from './preview-overlay.ts'

const texts = messages.imports.map
const KINDS = ['new', 'known', 'failed'] as const

type Props = {
  points: Point[]
  zone: Zone
  /** Rows far outside the zone. */
  outside?: ReadonlySet<number>
  /** How many rows with errors are not among the points, and why rows of the file have errors. */
  undrawn?: { count: number; causes: string }
}
const NONE: ReadonlySet<number> = new Set()

/** A map of the points and the zone. Points that cannot be shown are counted in text. */
export function Preview({ points, zone, outside = NONE, undrawn }: Props) {
  const [map, setMap] = useState<MapLibre | null>(null)
  const far = useMemo(() => points.filter(({ row }) => outside.has(row)), [points, outside])
  const near = useMemo(() => points.filter(({ row }) => !outside.has(row)), [points, outside])

  useEffect(() => {
    if (!map) return
    const source = map.getSource('points')
    if (source instanceof GeoJSONSource) void source.setData(featuresOf(points))
    const lines = map.getSource('zone')
    if (lines instanceof GeoJSONSource && zone.boundary)
      void lines.setData({ type: 'Feature', properties: {}, geometry: zone.boundary as GeoJSON.Geometry })
  }, [map, points, zone])

  const shown = near.length > 0 ? near : points
  const start = useMemo(() => boundsOfPoints(shown), [shown])
  const all = () => {
    const bounds = boundsOfPoints(points)
    if (bounds) map?.fitBounds(bounds, { padding: 48, maxZoom: 17 })
  }
  return (
    <Panel flush title={texts.title} className={classes.panel ?? ''}>
      {start ? (
        <div className={classes.map}>
          <MapCanvas
            overlay={previewOverlay}
            start={{ bounds: start }}
            label={texts.label(formatNumber(points.length))}
            onMap={setMap}
          />
        </div>
      ) : (
        <p className="dim pad">{texts.none}</p>
      )}
      {far.length > 0 && (
        <div className={classes.note}>
          <IconMapPinOff size={15} aria-hidden />
          <span className="grow">{texts.far(formatNumber(far.length))}</span>
          <Button size="xs" onClick={all}>
            {texts.show}
          </Button>
        </div>
      )}
      {undrawn && undrawn.count > 0 && (
        <p className={`${classes.note} faint`}>{texts.gone(formatNumber(undrawn.count), undrawn.causes)}</p>
      )}
      {start && (
        <ul className={classes.legend}>
          {KINDS.filter((kind) => points.some(({ status }) => status === kind)).map((kind) => (
            <li key={kind}>
              <span className={`${classes.mark} ${classes[kind]} drawn`} aria-hidden /> {texts[kind]}
            </li>
          ))}
          {zone.boundary && (
            <li>
              <span className={`${classes.dash} drawn`} aria-hidden /> {texts.zone}
            </li>
          )}
        </ul>
      )}
    </Panel>
  )
}
