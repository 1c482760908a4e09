import type { Map as MapLibre } from 'maplibre-gl'
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { Failure } from '../../components/feedback/failure.tsx'
import type { Start } from '../../map/create-map.ts'
import type { Place } from '../../map/geodesic.ts'
import { MapCanvas } from '../../map/map-canvas.tsx'
import { messages } from '../../messages/index.ts'
import { setBreadcrumbs } from '../../shell/breadcrumbs.ts'
import { LayerToggles } from './controls/layer-toggles.tsx'
import { Legend, StreetsHint } from './controls/legend.tsx'
import overClasses from './controls/map-controls.module.css'
import { RadiusSearch } from './controls/radius-search.tsx'
import { Toolbar } from './controls/toolbar.tsx'
import { TownSearch } from './controls/town-search.tsx'
import { ringLabel } from './editor/boundary-text.ts'
import { Editor } from './editor/editor.tsx'
import { useEditor } from './editor/use-editor.ts'
import { RadiusHandle } from './handles/radius-handle.ts'
import { useMapHandles } from './handles/use-map-handles.ts'
import { overlay } from './layers/overlay.ts'
import { RadiusPreview } from './layers/radius-preview.tsx'
import { SpotsOnMap } from './layers/spots-on-map.tsx'
import { useMapClicks } from './layers/use-map-clicks.ts'
import { useConflictSource, useRadiusSources, useZoneSource } from './layers/use-map-sources.ts'
import { PlaceList } from './list/place-list.tsx'
import { ZoneList } from './list/zone-list.tsx'
import classes from './map.module.css'
import { useModels } from './models/use-models.ts'
import { ConflictPanel } from './selection/conflict-panel.tsx'
import { SelectionPanel } from './selection/selection-panel.tsx'
import { type Selected, useSelection } from './selection/use-selection.ts'
import { TablePanel } from './table/table-panel.tsx'
import { keyOf, type Selection } from './url-state.ts'
import { useCamera } from './use-camera.ts'
import { boxAround, useMapData } from './use-map-data.ts'
import { useMapMutations } from './use-map-mutations.ts'
import { focusSelectedRow, useMapShortcuts } from './use-map-shortcuts.ts'
import { useSearchRadius } from './use-search-radius.ts'
import { useUrlState } from './use-url-state.ts'
import { useViewport } from './use-viewport.ts'
import { useVisible } from './use-visible.ts'
import { useHeat } from './visits/heat-layers.ts'
import { useVisits } from './visits/use-visits.ts'
import { VisitsPanel, visitsLabel } from './visits/visits-panel.tsx'

const texts = messages.map
const WORLD: Start = { center: [10, 25], zoom: 1.4 }

/** The initial view: the search circle, or the world until the places are known. */
function startAt(point: Place | null, radius: number): Start {
  if (!point) return WORLD
  const { west, south, east, north } = boxAround(point, radius)
  return { bounds: [west, south, east, north] }
}

/** Pins, control points, zones and scans on a map and in a list, with search and editing. */
export function MapPage() {
  const urlState = useUrlState()
  const { point, selection, create, change, isAboutConflicts, visitsOf } = urlState
  // The controls answer first: the map, its lists and the table take longer to draw.
  const drawn = useDeferredValue(urlState)
  const [map, setMap] = useState<MapLibre | null>(null)
  const [isPicking, setIsPicking] = useState(false)
  const search = useSearchRadius(urlState)
  usePageName()

  const view = useViewport(map)
  const data = useMapData(drawn, view)
  const visible = useVisible(data, drawn, view)
  const selected = useSelection(selection)
  const visits = useVisits(visitsOf, data.zones)
  useHeat(map, visitsOf ? visits.visited : undefined, visitsLabel)
  const models = useModels(map, view, drawn.layers.includes('pins'))
  const state = useEditor(map, point)
  const { make } = state
  useEffect(() => {
    if (!create || !map) return
    make(create)
    change({ create: undefined })
  }, [create, map, make, change])
  const mutations = useMapMutations()
  const choose = useCallback((next: Selection | null) => change({ select: next ? keyOf(next) : undefined }), [change])

  const failed = [data.pins, data.gcps, data.zones, data.scans].find(({ error }) => error)
  const first = isAboutConflicts ? visible.conflicts[0] : undefined
  // A link to the conflicts selects the nearest pair once.
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isAboutConflicts) isOpened.current = false
    if (!first || isOpened.current) return
    isOpened.current = true
    if (!selection) change({ select: keyOf({ kind: 'gcp', id: first.gcps[0].id }) })
  }, [isAboutConflicts, first, selection, change])

  useRadiusSources(map, drawn.point, drawn.radius)
  useZoneSource(map, visible.zones, selection?.kind === 'zone' ? selection.id : null)
  useConflictSource(map, visible.conflicts)
  useMapHandles(map, selected, state, mutations, view)
  const isSelecting =
    (selection !== null && !isLoaded(selected)) ||
    (isAboutConflicts && !selection && (data.conflicts.isPending || !!first))
  useCamera(map, { point, radius: urlState.radius, selected: selected.box, isSelecting, all: visible.all })
  useMapClicks(map, {
    onPlace: isPicking
      ? ({ lat, lon }) => {
          setIsPicking(false)
          change({ lat, lon, radius: urlState.radius })
        }
      : state.task
        ? state.press
        : null,
    onSelect: (name) => change({ select: name }),
  })
  const close = () => {
    focusSelectedRow()
    choose(null)
  }
  useMapShortcuts(selection && !state.task ? close : null)

  return (
    <div className={`${classes.page} ${drawn.isTable ? classes.withTable : ''}`}>
      <h1 className="visually-hidden">{texts.title}</h1>
      <aside className={classes.side} aria-label={texts.side}>
        {state.task ? (
          <Editor
            state={state}
            zones={data.zones.data ?? []}
            onSaved={(name) => {
              change({ select: name })
              void mutations.refresh()
            }}
          />
        ) : (
          <>
            <div className={classes.section}>
              <RadiusSearch urlState={urlState} search={search} picking={{ isOn: isPicking, onChange: setIsPicking }} />
              <LayerToggles urlState={urlState} counts={visible.counts} />
              {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
            </div>
            {visible.conflicts.length > 0 && drawn.layers.includes('gcps') && (
              <ConflictPanel
                conflicts={visible.conflicts}
                selection={selection}
                onSelect={choose}
                onOther={(gcp) => state.edit({ gcp })}
                onRepaired={() => void mutations.refresh()}
              />
            )}
            {selection && (
              <SelectionPanel
                selection={selection}
                selected={selected}
                onSelect={choose}
                onEdit={() => state.edit(selected)}
                onDelete={() => {
                  mutations.remove(selection, (selected.pin ?? selected.gcp)?.title ?? '')
                  choose(null)
                }}
                onClose={close}
                onChanged={() => void mutations.refresh()}
              />
            )}
            {visitsOf && (
              <VisitsPanel
                appId={visitsOf}
                onApp={(id) => change({ visits: id })}
                visits={visits}
                selection={selection}
                onSelect={choose}
              />
            )}
            {/* On phones the table takes the place of the lists. */}
            <div className={drawn.isTable ? 'wide-only' : undefined}>
              <PlaceList
                found={data.found}
                spots={visible.list}
                within={point ? texts.near.metres(formatNumber(urlState.radius)) : null}
                bad={visible.bad}
                selection={selection}
                onSelect={choose}
              />
              {drawn.layers.includes('zones') && (
                <ZoneList zones={visible.zonesInView} selection={selection} onSelect={choose} />
              )}
            </div>
          </>
        )}
      </aside>
      <div className={classes.map}>
        <MapCanvas overlay={overlay} start={startAt(point, urlState.radius)} label={texts.title} onMap={setMap}>
          <RadiusPreview map={map} point={point} search={search} drawn={drawn.radius} />
          <RadiusHandle map={map} point={point} search={search} />
          <SpotsOnMap map={map} data={data} visible={visible} point={drawn.point} radius={drawn.radius} />
          <TownSearch map={map} />
          <Toolbar
            map={map}
            isMaking={state.task !== null}
            onMake={state.make}
            table={{ isOn: urlState.isTable, onToggle: () => change({ table: urlState.isTable ? undefined : true }) }}
          />
          {(isPicking || state.task) && (
            <p className={overClasses.telling} role="status">
              {isPicking
                ? texts.place.picking
                : state.task?.kind === 'zone'
                  ? texts.form.drawing(ringLabel(state.boundary.rings, state.boundary.active))
                  : texts.form.placing}
            </p>
          )}
          <div className={`${overClasses.below} ${drawn.isTable ? overClasses.aboveTable : ''}`}>
            {!drawn.isTable && <StreetsHint />}
            <Legend
              layers={drawn.layers}
              hasRadius={point !== null}
              hasVisits={visitsOf !== undefined}
              models={models}
            />
          </div>
        </MapCanvas>
      </div>
      {drawn.isTable && <TablePanel urlState={drawn} view={view} zones={data.zones.data} onOpen={choose} />}
    </div>
  )
}

/** Whether the selected item has loaded or failed to load. */
const isLoaded = ({ pin, gcp, zone, scan, error }: Selected) => [pin, gcp, zone, scan, error].some(Boolean)

function usePageName() {
  useEffect(() => {
    setBreadcrumbs([{ name: messages.shell.groups.places }, { name: messages.shell.pages.map }])
    document.title = `${messages.shell.pages.map} · ${messages.shell.product}`
  }, [])
}
