import { badRequest } from '../../../platform/errors.ts'
import type { PhotoCamera } from '../schema.ts'
import type { CameraParams } from './schema.ts'

/** How many numbers each model has, and the camera that they describe: those of COLMAP (colmap.github.io/cameras.html). */
const models: Record<string, { count: number; camera: (numbers: number[]) => number[] }> = {
  SIMPLE_PINHOLE: { count: 3, camera: ([f, cx, cy]) => [f!, f!, cx!, cy!] },
  PINHOLE: { count: 4, camera: (numbers) => numbers },
  SIMPLE_RADIAL: { count: 4, camera: ([f, cx, cy, k]) => [f!, f!, cx!, cy!, k!] },
  RADIAL: { count: 5, camera: ([f, cx, cy, k1, k2]) => [f!, f!, cx!, cy!, k1!, k2!] },
  OPENCV: { count: 8, camera: (numbers) => numbers },
  FULL_OPENCV: { count: 12, camera: (numbers) => numbers.slice(0, 9) },
}
/** The centre of the top left pixel is at (0.5, 0.5) there, and at (0, 0) here. */
const HALF = 0.5

/** The camera of a reading; undefined if it is not known. @throws 400 for a model that is not supported */
export function cameraOf(params: CameraParams | null | undefined): PhotoCamera | undefined {
  const { model, modelParams = [] } = params ?? {}
  if (model === undefined || /^UNKNOWN/.test(model)) return undefined
  const known = Object.hasOwn(models, model) ? models[model]! : undefined
  if (!known) throw badRequest(`The camera model ${model} is not supported: send ${Object.keys(models).join(', ')}`)
  if (modelParams.length !== known.count)
    throw badRequest(`modelParams of ${model} must have ${known.count} numbers; these are ${modelParams.length}`)
  if (modelParams.slice(9).some((coefficient) => coefficient !== 0))
    throw badRequest('k4, k5 and k6 of FULL_OPENCV must be 0: other distortions are not supported')
  const [fx, fy, cx, cy, ...distortion] = known.camera(modelParams) as [number, number, number, number, ...number[]]
  if (!(fx > 0 && fy > 0)) throw badRequest('The focal lengths in modelParams must be greater than 0')
  if (distortion.some((coefficient) => Math.abs(coefficient) > 100))
    throw badRequest('The distortion in modelParams must be from -100 to 100')
  return { fx, fy, cx: cx - HALF, cy: cy - HALF, distortion }
}
