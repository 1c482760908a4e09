import { computeExtent } from '../scene/geometry/extent.ts'
import { attribute, type Prim } from '../usd/prim.ts'
import type { Splats } from './splats.ts'

/** Where a splat ends, in standard deviations. */
const reach = 3

/**
 * Builds the prim of splats, of the schema that OpenUSD has since 26.03. Source: UsdVolParticleField3DGaussianSplat,
 * whose kernel has a standard deviation of 1 before it is scaled.
 * @throws ConversionError when a value is not finite.
 */
export function splatsPrim(name: string, splats: Splats): Prim {
  return {
    name,
    typeName: 'ParticleField3DGaussianSplat',
    properties: [
      attribute('extent', 'float3[]', extentOf(splats)),
      attribute('opacities', 'float[]', splats.opacities),
      attribute('orientations', 'quatf[]', splats.orientations),
      attribute('positions', 'point3f[]', splats.positions),
      attribute('radiance:sphericalHarmonicsCoefficients', 'float3[]', splats.coefficients),
      attribute('radiance:sphericalHarmonicsDegree', 'int', splats.degree, { uniform: true }),
      attribute('scales', 'float3[]', splats.scales),
      ...(splats.sorting ? [attribute('sortingModeHint', 'token', splats.sorting, { uniform: true })] : []),
    ],
    children: [],
  }
}

/** The box around all splats, however they are turned. */
function extentOf({ positions, scales }: Splats): Float32Array {
  const sides = new Float32Array(positions.length * 2)
  for (let i = 0; i < positions.length; i += 3) {
    const radius = reach * Math.max(scales[i]!, scales[i + 1]!, scales[i + 2]!)
    for (let k = 0; k < 3; k++) {
      sides[i * 2 + k] = positions[i + k]! - radius
      sides[i * 2 + 3 + k] = positions[i + k]! + radius
    }
  }
  return computeExtent(sides, 'There are no splats, or splats whose position or scale is not finite.')
}
