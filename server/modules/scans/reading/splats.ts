import type { Splats } from '../preview/splats.ts'
import type { Bounds } from '../processing/inspection.ts'
import type { PlyElement } from './ply/ply-header.ts'
import type { RowTaker } from './ply/ply-rows.ts'
import { positionsReader } from './positions.ts'

/** Maximum number of drawn splats; a larger file is sampled evenly, with larger splats. */
const MAX_SPLATS = 2_000_000
/** The constant of spherical harmonic 0, 1 / (2√π). */
const HARMONIC = 0.28209479177387814

const NUMBERS = [
  ...['x', 'y', 'z', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity'],
  ...['scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3'],
]
const [COLOR, OPACITY, SCALE, TURN] = [3, 6, 7, 10]

/** Whether the vertices of a PLY file are 3D Gaussian splats as the reference trainer writes them (Kerbl et al. 2023, graphdeco-inria/gaussian-splatting). */
export const isSplats = ({ properties }: PlyElement): boolean =>
  NUMBERS.every((wanted) => properties.some(({ name, count }) => name === wanted && !count))

/** Collects splats: colours are harmonics, opacities logits, sizes logarithms, rotations quaternions w x y z. */
export function splatsTaker(count: number) {
  const positions = positionsReader()
  const step = Math.max(1, Math.ceil(count / MAX_SPLATS))
  const room = Math.ceil(count / step)
  // Enlarge the sampled splats, so that they cover as much.
  const larger = Math.sqrt(step)
  const splats: Splats = {
    count: 0,
    points: new Float32Array(room * 3),
    colors: new Uint8Array(room * 3),
    opacities: new Uint8Array(room),
    scales: new Float32Array(room * 3),
    turns: new Float32Array(room * 4),
    place: [],
  }
  let seen = 0
  const taker: RowTaker = {
    numbers: NUMBERS,
    lists: [],
    row(row) {
      const origin = positions.reach(row[0]!, row[1]!, row[2]!)
      if (!origin || seen++ % step > 0) return
      const at = splats.count++
      for (let k = 0; k < 3; k++) {
        splats.points[at * 3 + k] = row[k]! - origin[k]!
        splats.colors[at * 3 + k] = byteOf(0.5 + HARMONIC * row[COLOR + k]!)
        splats.scales[at * 3 + k] = Math.exp(row[SCALE + k]!) * larger
      }
      splats.opacities[at] = byteOf(1 / (1 + Math.exp(-row[OPACITY]!)))
      const length = Math.hypot(row[TURN]!, row[TURN + 1]!, row[TURN + 2]!, row[TURN + 3]!)
      for (let k = 0; k < 4; k++) splats.turns[at * 4 + k] = length > 0 ? row[TURN + k]! / length : k === 0 ? 1 : 0
    },
  }
  return {
    ...taker,
    bounds: (): Bounds | null => positions.bounds(),
    strays: positions.strays,
    splats: (): Splats => ({ ...splats, place: positions.place() }),
  }
}

const byteOf = (share: number) => (share >= 0 ? Math.min(255, Math.round(share * 255)) : 0)
