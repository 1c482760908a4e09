import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { Failure } from '../../components/feedback/failure.tsx'
import { distanceOf } from '../../map/geodesic.ts'
import { MapCanvas } from '../../map/map-canvas.tsx'
import { messages } from '../../messages/index.ts'
import { setBreadcrumbs } from '../../shell/breadcrumbs.ts'
import { LayerChips } from './controls/layer-toggles.tsx'
import { Legend, StreetsHint } from './controls/legend.tsx'
import overClasses from './controls/map-controls.module.css'
import { NearForm } from './controls/radius-search.tsx'
import { Toolbar } from './controls/toolbar.tsx'
import { nameOfRing } from './editor/boundary-text.ts'
import { TaskForm } from './editor/editor.tsx'
import { useTask } from './editor/use-editor.ts'
import { useMapHandles, useRadiusHandle } from './handles/use-map-handles.ts'
import { overlay } from './layers/overlay.ts'
import { usePresses } from './layers/use-map-clicks.ts'
import {
  useDrawnConflicts,
  useDrawnPins,
  useDrawnRadius,
  useDrawnSpots,
  useDrawnZones,
} from './layers/use-map-sources.ts'
import { PlaceList } from './list/place-list.tsx'
import { ZoneList } from './list/zone-list.tsx'
import classes from './map.module.css'
import { ConflictPanel } from './selection/conflict-panel.tsx'
import { ChosenPanel } from './selection/selection-panel.tsx'
import { type Chosen, useChosen } from './selection/use-selection.ts'
import { type Choice, nameOf } from './url-state.ts'
import { useCamera } from './use-camera.ts'
import { useThings } from './use-map-data.ts'
import { useWrites } from './use-map-mutations.ts'
import { focusChosenRow, useMapKeys } from './use-map-shortcuts.ts'
import { useAddress } from './use-url-state.ts'
import { useView } from './use-viewport.ts'
import { useShown } from './use-visible.ts'

const texts = messages.map
const WORLD = { center: [10, 25] as [number, number], zoom: 1.4 }

/** Pins, control points, zones and scans on a map and in a list beside it: what is near a point, and what is to be made, moved and mended. */
export function MapPage() {
  const address = useAddress()
  const { point, layers, choice, change, isAboutConflicts } = address
  const [map, setMap] = useState<MapLibre | null>(null)
  const [isPicking, setIsPicking] = useState(false)
  const [radius, setRadius] = useState(address.radius)
  useEffect(() => setRadius(address.radius), [address.radius])
  usePageName()

  const view = useView(map)
  const things = useThings(address, view)
  const shown = useShown(things, address, view)
  const chosen = useChosen(choice)
  const state = useTask(map, point)
  const writes = useWrites()
  const choose = (next: Choice | null) => change({ select: next ? nameOf(next) : undefined })

  const failed = [things.pins, things.gcps, things.zones, things.scans].find(({ error }) => error)
  const first = isAboutConflicts ? shown.conflicts[0] : undefined
  // A link to the conflicts opens the nearest pair, once: closed, it stays so.
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isAboutConflicts) isOpened.current = false
    if (!first || isOpened.current) return
    isOpened.current = true
    if (!choice) change({ select: nameOf({ kind: 'gcp', id: first.gcps[0].id }) })
  }, [isAboutConflicts, first, choice, change])

  useDrawnRadius(map, point, radius)
  useDrawnPins(map, shown.pins, point, address.radius)
  useDrawnSpots(map, 'gcps', shown.gcps)
  useDrawnSpots(map, 'scans', shown.scans)
  useDrawnZones(map, shown.zones, choice?.kind === 'zone' ? choice.id : null)
  useDrawnConflicts(map, shown.conflicts)
  useMapHandles(map, chosen, state, writes, view)
  const metresTo = (to: { lat: number; lon: number }) => Math.min(100_000, Math.round(distanceOf(point!, to)))
  useRadiusHandle(
    map,
    point,
    radius,
    (to) => setRadius(metresTo(to)),
    (to) => change({ radius: metresTo(to) }),
  )
  const isChoosing =
    (choice !== null && !isLoaded(chosen)) || (isAboutConflicts && !choice && (things.conflicts.isPending || !!first))
  useCamera(map, { point, radius: address.radius, chosen: chosen.box, isChoosing, all: shown.all })
  usePresses(map, {
    onPlace: isPicking
      ? ({ lat, lon }) => {
          setIsPicking(false)
          change({ lat, lon, radius: address.radius })
        }
      : state.task
        ? state.press
        : null,
    onChoose: (name) => change({ select: name }),
  })
  const close = () => {
    focusChosenRow()
    choose(null)
  }
  useMapKeys(choice && !state.task ? close : null)

  return (
    <div className={classes.page}>
      <h1 className="visually-hidden">{texts.title}</h1>
      <aside className={classes.side} aria-label={texts.side}>
        {state.task ? (
          <TaskForm
            state={state}
            zones={things.zones.data ?? []}
            onSaved={(name) => {
              change({ select: name })
              void writes.refresh()
            }}
          />
        ) : (
          <>
            <div className={classes.section}>
              <NearForm
                address={address}
                radius={radius}
                onRadius={setRadius}
                picking={{ isOn: isPicking, onChange: setIsPicking }}
              />
              <LayerChips address={address} counts={shown.counts} />
              {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
            </div>
            {shown.conflicts.length > 0 && layers.includes('gcps') && (
              <ConflictPanel
                conflicts={shown.conflicts}
                choice={choice}
                onChoose={choose}
                onOther={(gcp) => state.edit({ gcp })}
                onRepaired={() => void writes.refresh()}
              />
            )}
            {choice && (
              <ChosenPanel
                choice={choice}
                chosen={chosen}
                onEdit={() => state.edit(chosen)}
                onDelete={() => {
                  writes.remove(choice, (chosen.pin ?? chosen.gcp)?.title ?? '')
                  choose(null)
                }}
                onClose={close}
                onChanged={() => void writes.refresh()}
              />
            )}
            <PlaceList
              found={things.found}
              spots={shown.list}
              within={point ? texts.near.metres(formatNumber(address.radius)) : null}
              bad={shown.bad}
              choice={choice}
              onChoose={choose}
            />
            {layers.includes('zones') && <ZoneList zones={shown.zonesInView} choice={choice} onChoose={choose} />}
          </>
        )}
      </aside>
      <div className={classes.map}>
        <MapCanvas overlay={overlay} start={WORLD} label={texts.title} onMap={setMap}>
          <Toolbar map={map} isMaking={state.task !== null} onMake={state.make} />
          {(isPicking || state.task) && (
            <p className={overClasses.telling} role="status">
              {isPicking
                ? texts.place.picking
                : state.task?.kind === 'zone'
                  ? texts.form.drawing(nameOfRing(state.boundary.rings, state.boundary.active))
                  : texts.form.placing}
            </p>
          )}
          <div className={overClasses.below}>
            <StreetsHint />
            <Legend layers={layers} hasRadius={point !== null} />
          </div>
        </MapCanvas>
      </div>
    </div>
  )
}

/** Whether it is known what is chosen, or that it is not there. */
const isLoaded = ({ pin, gcp, zone, scan, error }: Chosen) => [pin, gcp, zone, scan, error].some(Boolean)

function usePageName() {
  useEffect(() => {
    setBreadcrumbs([{ name: messages.shell.groups.places }, { name: messages.shell.pages.map }])
    document.title = `${messages.shell.pages.map} · ${messages.shell.product}`
  }, [])
}
