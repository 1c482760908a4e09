import { type CustomLayerInterface, type Map as MapLibre, MercatorCoordinate } from 'maplibre-gl'
import {
  AmbientLight,
  Camera,
  DirectionalLight,
  HemisphereLight,
  Matrix4,
  Quaternion,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import { type Place, placeFrom } from '../../../map/geodesic.ts'
import type { Offset } from './footprint.ts'
import { type LoadedModel, modelLoader, release, Unavailable } from './load-model.ts'
import type { PlacedModel, Rotation } from './placed-model.ts'

const ID = 'models'
/** Metres over which the scale of the map is measured. */
const SCALE_METRES = 10

export type ModelLayer = ReturnType<typeof modelLayer>
/** A model that is drawn, and the corners of its box seen from above. */
export type DrawnModel = PlacedModel & { corners: Offset[] }

type Shown = { model: LoadedModel; matrix: Matrix4 }
/** A model that is wanted: while it loads without `model`, and without it for good if it cannot be drawn. */
type Entry = { loading: Promise<LoadedModel | undefined>; model?: LoadedModel; abort: () => void }

/** A layer of the map that draws models with three.js, in metres on the ground. This module is large and loaded on demand. @param below the layer above it */
export function modelLayer(map: MapLibre, below: string) {
  const scene = new Scene().add(new AmbientLight(0xffffff, 0.9), new HemisphereLight(0xffffff, 0xb0aea6, 1.4))
  const sun = new DirectionalLight(0xffffff, 1.6)
  sun.position.set(-0.5, 1, 0.4)
  scene.add(sun)
  const camera = new Camera()
  let renderer: WebGLRenderer | undefined
  let loader: ReturnType<typeof modelLoader> | undefined
  let wanted: PlacedModel[] = []
  let shown: Shown[] = []
  const entries = new Map<string, Entry>()

  const layer: CustomLayerInterface = {
    id: ID,
    type: 'custom',
    renderingMode: '3d',
    onAdd: (_map, gl) => {
      renderer = new WebGLRenderer({ canvas: map.getCanvas(), context: gl, antialias: true })
      renderer.autoClear = false
      loader ??= modelLoader(renderer)
    },
    render: (_gl, { defaultProjectionData: { mainMatrix } }) => {
      for (const { model, matrix } of shown) {
        camera.projectionMatrix.fromArray(mainMatrix as unknown as number[]).multiply(matrix)
        scene.add(model.object)
        renderer!.resetState()
        renderer!.render(scene, camera)
        scene.remove(model.object)
      }
    },
    onRemove: () => renderer?.dispose(),
  }
  const add = () => {
    if (!map.getLayer(ID)) map.addLayer(layer, map.getLayer(below) ? below : undefined)
  }
  add()
  // A style that replaces another one has no layers of others.
  map.on('style.load', add)

  return {
    /**
     * Draws these models in place of others, each once it is loaded. @returns those that are drawn, when all have been tried:
     * what cannot be read or is too large is left out
     */
    async show(models: PlacedModel[], signal: AbortSignal): Promise<DrawnModel[]> {
      wanted = models
      const urls = new Set(models.map(({ url }) => url))
      for (const url of entries.keys()) if (!urls.has(url)) forget(url)
      const loading = models.map(({ url }) => entryOf(url).loading)
      drawLoaded()
      const loaded = await Promise.all(loading)
      if (signal.aborted) return []
      return models.flatMap((placed, at) => {
        const model = loaded[at]
        return model ? [{ ...placed, corners: cornersOf(model, placed.rotation) }] : []
      })
    },

    /** Draws nothing more. The map may be gone. */
    remove: () => {
      map.off('style.load', add)
      wanted = []
      for (const url of entries.keys()) forget(url)
      drawLoaded()
      if (map.style && map.getLayer(ID)) map.removeLayer(ID)
      loader?.dispose()
    },
  }

  /** The model of an address, which is loaded once for all that want it. */
  function entryOf(url: string): Entry {
    const known = entries.get(url)
    if (known) return known
    const left = new AbortController()
    const load = async () => {
      try {
        const model = await loader!.load(url, left.signal)
        if (entries.get(url) === entry) {
          entry.model = model
          drawLoaded()
          return model
        }
        release(model.object)
      } catch (error) {
        // What may succeed later is tried again when it is next wanted.
        if (error instanceof Unavailable && entries.get(url) === entry) entries.delete(url)
      }
      return undefined
    }
    const entry: Entry = { abort: () => left.abort(), loading: Promise.resolve(undefined) }
    entries.set(url, entry)
    entry.loading = load()
    return entry
  }

  function forget(url: string) {
    const { model, abort } = entries.get(url)!
    entries.delete(url)
    abort()
    if (model) release(model.object)
  }

  /** Draws what is loaded of what is wanted. */
  function drawLoaded() {
    shown = wanted.flatMap((placed) => {
      const { model } = entries.get(placed.url) ?? {}
      return model ? [{ model, matrix: matrixOf(placed) }] : []
    })
    if (map.style) map.triggerRepaint()
  }
}

const turned = ({ x, y, z, w }: Rotation) => new Quaternion(x, y, z, w).normalize()

/** Leads from a model in metres (x east, y up, z south before it is turned) to the square of the map, by the ellipsoid at its place. */
function matrixOf({ place, rotation }: PlacedModel): Matrix4 {
  const square = ({ lat, lon }: Place) => MercatorCoordinate.fromLngLat([lon, lat])
  const { x, y } = square(place)
  const east = (square(placeFrom(place, 90, SCALE_METRES)).x - x) / SCALE_METRES
  const south = (square(placeFrom(place, 180, SCALE_METRES)).y - y) / SCALE_METRES
  const ground = new Matrix4()
  ground.set(...([east, 0, 0, x, 0, 0, south, y, 0, (east + south) / 2, 0, 0, 0, 0, 0, 1] as const))
  return ground.multiply(new Matrix4().makeRotationFromQuaternion(turned(rotation)))
}

function cornersOf({ box: { min, max } }: LoadedModel, rotation: Rotation): Offset[] {
  const turn = turned(rotation)
  return Array.from({ length: 8 }, (_, at): Offset => {
    const corner = new Vector3(at & 1 ? max.x : min.x, at & 2 ? max.y : min.y, at & 4 ? max.z : min.z)
    const { x, z } = corner.applyQuaternion(turn)
    return [x, -z]
  })
}
