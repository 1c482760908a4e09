import type { PointCloud } from '../../../../../usdz/index.ts'
import { loadCrsTable } from '../../../reference-systems/crs.ts'
import { render } from '../../preview/render.ts'
import { damaged, type Inspection, type ScanPosition } from '../../processing/inspection.ts'
import { byteWindow } from '../byte-window.ts'
import { type OpenFile, unread } from '../open-file.ts'
import { CLOUD_MAX_POINTS } from '../ply/ply-shapes.ts'
import { positionsReader } from '../positions.ts'
import { type LasHeader, readLasHeader } from './las-header.ts'

/** Reads the header, position and points of a LAS file; of LAZ, whose points are compressed, header and position. @throws ScanFault */
export async function inspectLas(file: OpenFile): Promise<Inspection> {
  const header = readLasHeader(file.head)
  const { count, bounds, crs, isCompressed } = header
  const placed = await positionOf(header)
  const found = {
    ...unread(isCompressed ? 'LAZ' : 'LAS'),
    bounds,
    points: count,
    position: typeof placed === 'string' ? null : placed,
  }
  if (typeof placed === 'string' && crs) found.notes.push(placed)
  if (isCompressed) {
    found.notes.push('The points of a LAZ file are compressed: it is kept without a preview.')
    return found
  }
  if (header.offset + count * header.stride > file.size)
    throw damaged(`The LAS file is cut off: its header says ${count} points, it has bytes for fewer.`)
  return { ...found, preview: await render({ meshes: [], pointClouds: [await cloudOf(file, header)], up: 'z' }) }
}

/** The centre of the bounds, or a note why it is unknown. */
async function positionOf({ bounds, crs }: LasHeader): Promise<ScanPosition | string> {
  if (!bounds || !crs) return 'The file names no reference system.'
  const found = (await loadCrsTable()).find(crs)
  if (typeof found === 'string') return `Where the scan was taken is not known: ${found}.`
  const [x, y, z] = [0, 1, 2].map((axis) => (bounds.min[axis]! + bounds.max[axis]!) / 2) as [number, number, number]
  const place = found.toWgs84(x, y, found.kind === 'geocentric' ? z : undefined)
  if (!place) return `Where the scan was taken is not known: its coordinates do not fit ${found.name}.`
  const { longitude: long, latitude: lat, h } = place
  // Heights usually have the unit of the plane.
  return { lat, long, altitude: found.kind === 'geocentric' ? h : z * found.unit, from: 'georeference' }
}

async function cloudOf({ bytes }: OpenFile, header: LasHeader): Promise<PointCloud> {
  const { offset, count, stride, color, scale, shift } = header
  const input = byteWindow(bytes)
  const cutOff = () => damaged('The LAS file is cut off.')
  if (!(await input.skip(offset))) throw cutOff()
  const step = Math.max(1, Math.ceil(count / CLOUD_MAX_POINTS))
  const room = Math.ceil(count / step)
  const points = new Float32Array(room * 3)
  const colors = new Uint16Array(color === undefined ? 0 : room * 3)
  const positions = positionsReader()
  let kept = 0
  for (let row = 0; row < count; row++) {
    if (input.left < stride && !(await input.need(stride))) throw cutOff()
    const { view, at } = input
    input.step(stride)
    if (row % step > 0) continue
    const [x, y, z] = [0, 1, 2].map((k) => view.getInt32(at + k * 4, true) * scale[k]! + shift[k]!) as [
      number,
      number,
      number,
    ]
    const origin = positions.reach(x, y, z)
    if (!origin) continue
    points[kept * 3] = x - origin[0]
    points[kept * 3 + 1] = y - origin[1]
    points[kept * 3 + 2] = z - origin[2]
    if (color !== undefined) for (let k = 0; k < 3; k++) colors[kept * 3 + k] = view.getUint16(at + color + k * 2, true)
    kept++
  }
  const shown = bytesOf(colors.subarray(0, kept * 3))
  return { points: points.subarray(0, kept * 3), ...(shown && { colors: shown }), transforms: [positions.place()] }
}

/** Colours have 16 bits; some programs write 8. A cloud that is entirely black has no colours. */
function bytesOf(colors: Uint16Array): Uint8Array | undefined {
  const most = colors.reduce((a, b) => Math.max(a, b), 0)
  if (most === 0) return undefined
  return Uint8Array.from(colors, (value) => (most > 255 ? value >> 8 : value))
}
