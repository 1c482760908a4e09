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

/** The models that are drawn now, and how many others are still loading. */
export type Progress = { drawn: DrawnModel[]; loading: number }

type Shown = { model: LoadedModel; matrix: Matrix4 }
/** A model that is wanted: it is loading, or `model` is there, or it cannot be drawn. */
type Entry = { isLoading: boolean; model?: LoadedModel; abort: () => void }

/**
 * A layer of the map that draws models with three.js, in metres on the ground. This module is large and loaded on demand.
 * @param below the layer above it @param onProgress called whenever a model is drawn, or cannot be
 */
export function modelLayer(map: MapLibre, below: string, onProgress: (progress: Progress) => void) {
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
    /** Draws these models in place of others, each once it is loaded. What did not arrive before is requested again. */
    show(models: PlacedModel[]): void {
      wanted = models
      const urls = new Set(models.map(({ url }) => url))
      for (const url of entries.keys()) if (!urls.has(url)) forget(url)
      for (const url of urls) if (!entries.has(url)) void load(url)
      drawLoaded()
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

  /** Loads the model of an address once for all that want it. */
  async function load(url: string): Promise<void> {
    const left = new AbortController()
    const entry: Entry = { isLoading: true, abort: () => left.abort() }
    entries.set(url, entry)
    const isWanted = () => entries.get(url) === entry
    try {
      const model = await loader!.load(url, left.signal)
      if (isWanted()) entry.model = model
      else release(model.object)
    } catch (error) {
      // What may arrive later is requested again when it is next wanted.
      if (error instanceof Unavailable && isWanted()) entries.delete(url)
    }
    entry.isLoading = false
    if (!left.signal.aborted) drawLoaded()
  }

  function forget(url: string) {
    const { model, abort } = entries.get(url)!
    entries.delete(url)
    abort()
    if (model) release(model.object)
  }

  /** Draws what is loaded of what is wanted. */
  function drawLoaded() {
    const loaded = wanted.flatMap((placed) => {
      const { model } = entries.get(placed.url) ?? {}
      return model ? [{ placed, model }] : []
    })
    shown = loaded.map(({ placed, model }) => ({ model, matrix: matrixOf(placed) }))
    if (map.style) map.triggerRepaint()
    onProgress({
      drawn: loaded.map(({ placed, model }) => ({ ...placed, corners: cornersOf(model, placed.rotation) })),
      loading: wanted.filter(({ url }) => entries.get(url)?.isLoading).length,
    })
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
