/** The reflectance of dielectrics. */
const dielectric = 0.04

/**
 * Computes the base colour and metallic value for a diffuse and a specular colour, all linear. Source:
 * KHR_materials_pbrSpecularGlossiness, appendix "Convert specular-glossiness to metallic-roughness".
 * @param out receives r, g, b and metallic: called for every pixel, the function does not allocate.
 */
export function toMetallicRoughness(diffuse: ArrayLike<number>, specular: ArrayLike<number>, out: Float64Array): void {
  const [dr, dg, db] = [diffuse[0]!, diffuse[1]!, diffuse[2]!]
  const [sr, sg, sb] = [specular[0]!, specular[1]!, specular[2]!]
  const specularLight = brightness(sr, sg, sb)
  const left = 1 - Math.max(sr, sg, sb)
  let metallic = 0
  if (specularLight >= dielectric) {
    const b = (brightness(dr, dg, db) * left) / (1 - dielectric) + specularLight - 2 * dielectric
    const c = dielectric - specularLight
    const root = Math.sqrt(Math.max(0, b * b - 4 * dielectric * c))
    metallic = clamp((-b + root) / (2 * dielectric))
  }
  const diffuseScale = left / (1 - dielectric) / Math.max(1 - metallic, 1e-6)
  const weight = metallic * metallic
  out[0] = mixed(dr, sr, metallic, diffuseScale, weight)
  out[1] = mixed(dg, sg, metallic, diffuseScale, weight)
  out[2] = mixed(db, sb, metallic, diffuseScale, weight)
  out[3] = metallic
}

function mixed(diffuse: number, specular: number, metallic: number, diffuseScale: number, weight: number): number {
  const fromSpecular = (specular - dielectric * (1 - metallic)) / Math.max(metallic, 1e-6)
  return clamp(diffuse * diffuseScale * (1 - weight) + fromSpecular * weight)
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))
const brightness = (r: number, g: number, b: number) => Math.sqrt(0.299 * r * r + 0.587 * g * g + 0.114 * b * b)
