import type { App, Cairn, Fence } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { formatCoordinates } from '../../../../components/data/format.ts'
import { Failure } from '../../../../components/feedback/failure.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { NO_FEATURES } from '../../../../map/base-map/base-style.ts'
import { boundsOf } from '../../../../map/bounds.ts'
import type { Place } from '../../../../map/geodesic.ts'
import { MapCanvas } from '../../../../map/map-canvas.tsx'
import { useSource } from '../../../../map/use-source.ts'
import { messages } from '../../../../messages/index.ts'
import classes from './simulator.module.css'
import { lineOf, simulatorOverlay } from './simulator-overlay.ts'
import { Steps } from './steps.tsx'
import { useFenceAreas } from './use-fence-areas.ts'
import { fixesOf, type Pace, pathOf } from './walk.ts'
import { WalkForm } from './walk-form.tsx'

const texts = messages.game.fences.simulator
type Props = { app: App; cairn: Cairn; fences: Fence[] }

/** Walks a path over the fences: the service says what a player there would report. Nothing is written. */
export function Simulator({ app, cairn, fences }: Props) {
  const areas = useFenceAreas(app, cairn, fences)
  const [map, setMap] = useState<MapLibre | null>(null)
  const [text, setText] = useState('')
  const { path, wrongLine } = useMemo(() => readPath(text), [text])
  const line = useMemo(() => lineOf(path), [path])
  useSource(map, 'fences', areas ?? NO_FEATURES)
  useSource(map, 'path', line)
  useClicks(map, setText)
  const start = useMemo(() => areas && boundsOf(areas.features.flatMap(({ geometry }) => cornersOf(geometry))), [areas])
  const walk = useMutation({
    mutationFn: async (pace: Pace) => {
      const startAt = Date.now()
      return { startAt, result: await cairn.fences.simulate(fixesOf(path, pace, startAt)) }
    },
  })
  return (
    <Panel flush title={texts.title}>
      <div className={classes.both}>
        <div className={classes.map}>
          {start && <MapCanvas overlay={simulatorOverlay} start={{ bounds: start }} label={texts.map} onMap={setMap} />}
        </div>
        <WalkForm
          path={text}
          onPath={setText}
          fault={wrongLine && texts.wrongLine(wrongLine)}
          isWalking={walk.isPending}
          onWalk={walk.mutate}
        />
      </div>
      {walk.error && <Failure error={walk.error} />}
      {walk.data && (
        <div className={classes.results}>
          <Steps {...walk.data} />
        </div>
      )}
    </Panel>
  )
}

function readPath(text: string): { path: Place[]; wrongLine: string | null } {
  try {
    return { path: pathOf(text), wrongLine: null }
  } catch (error) {
    return { path: [], wrongLine: (error as Error).message }
  }
}

/** A click on the map adds a place to the path. */
function useClicks(map: MapLibre | null, change: (next: (text: string) => string) => void) {
  useEffect(() => {
    if (!map) return undefined
    map.getCanvas().style.cursor = 'crosshair'
    const heard = map.on('click', ({ lngLat }: MapMouseEvent) => {
      const { lat, lng } = lngLat.wrap()
      change((text) => `${text.trimEnd()}${text.trim() ? '\n' : ''}${formatCoordinates(lat, lng)}`)
    })
    return () => void heard.unsubscribe()
  }, [map, change])
}

type Corner = [longitude: number, latitude: number]

function cornersOf(geometry: GeoJSON.Geometry): Corner[] {
  if (geometry.type === 'Polygon') return geometry.coordinates.flat() as Corner[]
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat(2) as Corner[]
  return []
}
